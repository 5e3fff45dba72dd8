// @ts-check
/** @import * as api from "./index.d.ts" */
/** @import * as reactApi from "./react/index.d.ts" */
import * as implementation from "./src/index.js";
import * as react from "./react/index.js";

/** Fails to compile unless the sources are what the declarations promise. */
export const conforms = {
	/** @type {typeof api} */
	core: implementation,
	/** @type {typeof reactApi} */
	react,
};
