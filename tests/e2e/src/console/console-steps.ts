import type { Page } from "playwright-core";

/** What somebody does with the mouse, by the words that they read. */
export interface Steps {
  press(name: string | RegExp): Promise<void>;
  /** In the dialog that is open, which closes when it is done. */
  confirm(name: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
}

export function stepsOn(page: Page): Steps {
  return {
    press: (name) => page.getByRole("button", { name }).first().click(),
    confirm: async (name) => {
      const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
      await dialog.getByRole("button", { name, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    },
    choose: async (label, option) => {
      await page.getByRole("combobox", { name: label, exact: true }).click();
      await page.getByRole("option", { name: option }).first().click();
    },
  };
}
