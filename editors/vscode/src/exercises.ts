/** What the server tells of exercises and their samples, and what follows from it; the Test Explorer is in `samples`. */

export interface Sample {
  /** From 1. */
  readonly number: number;
  readonly outcome: string;
  readonly input: string;
  readonly expected: string;
  /** Null where the program never came to that. */
  readonly got: string | null;
  /** In the program, from 1. */
  readonly line: number | null;
  readonly message: string;
  readonly seconds: number;
}

export interface SampleRun {
  readonly uri: string;
  readonly version: number;
  readonly problem: { readonly id: string; readonly title: string; readonly total: number };
  readonly running: boolean;
  readonly passed: boolean | null;
  readonly error: string | null;
  readonly samples: readonly Sample[];
}

export interface Problem {
  readonly id: string;
  readonly title: string;
  readonly statement: string;
  readonly samples: readonly { readonly number: number; readonly input: string }[];
}

export interface Problems {
  readonly problem: string | null;
  readonly problems: readonly Problem[];
}

/** What a failed sample says in the Test Explorer; with both outputs, where there are two, for the editor's own diff. */
export function failure(sample: Sample): { message: string; expected?: string; actual?: string } {
  const { outcome, message, expected, got } = sample;
  return outcome === "wrong-answer" && got !== null && expected !== "" ? { message, expected, actual: got } : { message };
}

/** `text` with the comment that chooses the exercise `id`: in place of an earlier one, else as a first line. */
export function chosen(text: string, id: string): { line: number; replaces: boolean; comment: string } {
  const comment = `# pymeta: problem=${id}`;
  const lines = text.split(/\r\n|\r|\n/);
  const line = lines.findIndex((each) => /^\s*#\s*pymeta:\s*problem\s*=\s*[\w.-]+/.test(each));
  if (line >= 0) {
    return { line, replaces: true, comment };
  }
  // Python looks for these two in the first lines.
  const first = lines.findIndex((each) => !each.startsWith("#!") && !/^#.*coding[:=]/.test(each));
  return { line: Math.max(first, 0), replaces: false, comment };
}
