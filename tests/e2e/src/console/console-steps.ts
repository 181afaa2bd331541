import type { Page } from "playwright-core";

/** What somebody does with the mouse, by the words that they read. */
interface Steps {
  press(name: string | RegExp): Promise<void>;
  /** In the dialog that is open, which closes when it is done. */
  confirm(name: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
}

export function stepsOn(read: () => Page): Steps {
  return {
    press: (name) => read().getByRole("button", { name }).first().click(),
    confirm: async (name) => {
      const dialog = read().getByRole("dialog").or(read().getByRole("alertdialog"));
      await dialog.getByRole("button", { name, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    },
    choose: async (label, option) => {
      await read().getByRole("combobox", { name: label, exact: true }).click();
      await read().getByRole("option", { name: option }).first().click();
    },
  };
}
