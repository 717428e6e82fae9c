/** Temporary files lie in memory where the machine has a place for them: no commit waits for a disk. */
import { existsSync } from "node:fs";

const MEMORY = "/dev/shm";

if (existsSync(MEMORY)) process.env["TMPDIR"] ??= MEMORY;
