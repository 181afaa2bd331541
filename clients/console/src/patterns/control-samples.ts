import { type Permission } from "../components/permission.ts";

export const FORBIDDEN: Permission = {
  allowed: false,
  reason: "Exposing a source needs the role admin or owner. You are a developer here.",
};

export const LONG_NAME = "warehouse-of-everything-that-was-ever-ordered-returned-or-refunded-in-every-region";

export const ROLE_OPTIONS = [
  { value: "viewer", label: "Viewer", hint: "Sees what is exposed" },
  { value: "developer", label: "Developer", hint: "Connects sources and asks them" },
  { value: "admin", label: "Admin", hint: "Decides what agents reach" },
] as const;

export const SOURCE_OPTIONS = [
  ...["orders", "customers", "invoices", "payments", "refunds", "shipments", "suppliers", "tickets"].map((name) => ({
    value: name,
    label: name,
  })),
  { value: "long", label: LONG_NAME, hint: "A name that does not fit" },
];
