import { z } from "zod";
import { ROLES } from "./plain/roles.ts";

export const roleSchema = z.enum(ROLES);
