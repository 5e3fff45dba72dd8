# Sourced by scripts that act while a command of the load kit runs. Uses die.

# wait_for_line <pattern> <file> <pid>: waits for a line in the output of a process; fails if the process ends without it.
wait_for_line() {
  until grep -q "$1" "$2"; do
    kill -0 "$3" 2>/dev/null || die "the load kit ended early: $(tail -3 "$2")"
    sleep 0.2
  done
}
