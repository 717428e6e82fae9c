#!/bin/sh
# The runtime, which dies soon after each of its starts for as long as there is a file `dies`.
date +%s%3N >>"$LIVES/starts"
if [ -e "$LIVES/dies" ]; then
  (
    sleep 2
    kill -9 $$
  ) <&- >/dev/null 2>&1 3>&- &
fi
exec "$GUARD" "$@"
