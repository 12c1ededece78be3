/**
 * What is asked of a language model for a hint or a repair, and what is taken of its reply. Nothing here knows the editor;
 * requests go to an OpenAI-compatible endpoint that the user has named, and to no other.
 */

export interface Endpoint {
  /** Such as `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Undefined for a server that wants none. */
  readonly key: string | undefined;
}

/** What a hint is about. */
export interface Subject {
  readonly code: string;
  /** What PyMETA says is wrong; empty for nothing. */
  readonly verdicts: readonly string[];
  /** The exercise's statement; empty where there is none. */
  readonly statement: string;
  /** What happened with the sample that fails; empty where none does. */
  readonly failing: string;
  /** Of the hint: "English", "中文". */
  readonly language: string;
}

export interface Message {
  readonly role: "system" | "user";
  readonly content: string;
}

/** Why there is no reply, in a form that can be told. */
export class HintError extends Error {
  constructor(
    readonly kind: "unreachable" | "refused" | "strange" | "empty" | "cancelled",
    detail: string,
  ) {
    super(detail);
  }
}

const LONGEST_REPLY = 100_000;

export function hintMessages(subject: Subject): Message[] {
  const system =
    "You help a student in a first programming course. You are told her Python program and what is wrong with it. Give her one hint of at most three short " +
    "sentences that brings her to the mistake: where to look, what to ask herself, what to try by hand. Never write code, never name the corrected line, " +
    `never give the solution. Be friendly and plain. Write in ${subject.language}.`;
  return [{ role: "system", content: system }, { role: "user", content: describe(subject) }];
}

export function repairMessages(subject: Subject): Message[] {
  const system =
    "You mend the Python program of a student in a first programming course. Change as little as you can, and keep her names and her way. Reply with the whole " +
    "mended program in one block that begins with ```python, and with nothing else.";
  return [{ role: "system", content: system }, { role: "user", content: describe(subject) }];
}

function describe({ code, verdicts, statement, failing }: Subject): string {
  const parts = [
    statement === "" ? "" : `The exercise:\n${statement}`,
    `The program:\n\`\`\`python\n${code}\n\`\`\``,
    verdicts.length === 0 ? "" : `What is known to be wrong:\n${verdicts.map((each) => `- ${each}`).join("\n")}`,
    failing === "" ? "" : `What happened when it was run:\n${failing}`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A hint without thoughts and without code: what gives the solution away is left out, whoever asked for it not to be there. */
export function plainHint(reply: string): string {
  const said = afterThoughts(reply);
  return said
    .replace(/(```|~~~)[^]*?(\1|$)/g, "")
    .split("\n")
    .filter((line) => !/^\s{4,}\S/.test(line) && !/^\s*(?:>{3}\s|(?:def|class|import|from|print|return|while|for|if)\b.*[:)]\s*$)/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The program in a reply: the last block that is marked Python, else the last block; undefined where there is none. */
export function programIn(reply: string): string | undefined {
  const blocks = [...afterThoughts(reply).matchAll(/^[ \t]*(```+|~~~+)[ \t]*([\w+-]*)[^\n]*\n([^]*?)^[ \t]*\1[ \t]*$/gm)];
  const marked = blocks.filter((block) => ["python", "python3", "py"].includes((block[2] ?? "").toLowerCase()));
  return (marked.at(-1) ?? blocks.at(-1))?.[3];
}

function afterThoughts(reply: string): string {
  return (reply.split(/<\/(?:think|thinking|thought|reasoning)>/i).at(-1) ?? "").replace(/<(?:think|thinking)>[^]*$/i, "");
}

/** Whether `url` is an address that can be asked. */
export function isAddress(url: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}

/** The model's reply. Throws a HintError. */
export async function ask(endpoint: Endpoint, messages: readonly Message[], signal: AbortSignal): Promise<string> {
  let response: Response;
  try {
    response = await fetch(`${endpoint.url.replace(/\/+$/, "")}/chat/completions`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(endpoint.key === undefined ? {} : { Authorization: `Bearer ${endpoint.key}` }) },
      body: JSON.stringify({ model: endpoint.model, messages, temperature: 0.2, max_tokens: 2048 }),
      // A redirect could lead the program elsewhere than the user agreed to.
      redirect: "error",
      signal,
    });
  } catch (error) {
    throw signal.aborted ? new HintError("cancelled", "") : new HintError("unreachable", causeOf(error));
  }
  const text = (await response.text().catch(() => "")).slice(0, LONGEST_REPLY);
  if (!response.ok) {
    throw new HintError("refused", `${String(response.status)} ${messageIn(text)}`.trim());
  }
  const reply = contentIn(text);
  if (reply === undefined) {
    throw new HintError("strange", text.slice(0, 100));
  }
  if (reply.trim() === "") {
    throw new HintError("empty", "");
  }
  return reply;
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

function contentIn(text: string): string | undefined {
  const body = objectIn(text) as { choices?: { message?: { content?: unknown } }[] } | undefined;
  const content = body?.choices?.[0]?.message?.content;
  return typeof content === "string" ? content : undefined;
}

function messageIn(text: string): string {
  const body = objectIn(text) as { error?: { message?: unknown } } | undefined;
  return typeof body?.error?.message === "string" ? body.error.message : text.slice(0, 100);
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
