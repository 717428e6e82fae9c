/** The parts of this deployment. */
import type { PartName } from "../config/site-schema.ts";
import type { Part } from "./deps.ts";
import * as all from "./parts/index.ts";

/** A deployment lacks the code of those that its configuration leaves out. */
export const PARTS: Readonly<Partial<typeof all & Record<PartName, Part>>> = all;
