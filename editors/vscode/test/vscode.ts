/** As much of the editor's interface as the tested modules touch at run time. */
export const l10n = {
  t: (message: string, ...values: unknown[]): string =>
    message.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)])),
};

export const env = { shell: "/bin/bash" };

/** What was shown to the person, newest last; the test answers by setting `answer`. */
export const shown: { message: string; buttons: string[] }[] = [];
export const window = {
  showWarningMessage: (message: string, ...items: { title: string }[]): Promise<undefined> => {
    shown.push({ message, buttons: items.map((item) => item.title) });
    return Promise.resolve(undefined);
  },
};

export class MarkdownString {
  constructor(readonly value: string) {}
}

export class Hover {
  readonly contents: MarkdownString[];
  constructor(
    contents: MarkdownString | MarkdownString[],
    readonly range?: unknown,
  ) {
    this.contents = [contents].flat();
  }
}
