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
  /** Of the document that `code` was read from. */
  readonly version: number;
}

export interface Message {
  readonly role: "system" | "user";
  readonly content: string;
}

/** Why there is no reply, in a form that can be told. */
export class HintError extends Error {
  constructor(
    readonly kind: "unreachable" | "refused" | "strange" | "empty" | "cancelled" | "slow",
    detail: string,
  ) {
    super(detail);
  }
}

/** Bytes; what comes after them is not read. */
const LONGEST_REPLY = 400_000;
/** Characters of an endpoint's own words that are passed on. */
const LONGEST_REASON = 200;
/** Characters; the editor cuts a message at a thousand. */
const LONGEST_HINT = 900;
/** A large model on a laptop takes its time; one that says nothing for so long has gone. */
const PATIENCE_MS = 180_000;

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

/**
 * A hint without thoughts and without code: what gives the solution away is left out, whoever asked for it not to be there.
 * Code that stands in the student's own program (`code`) may be quoted in a sentence.
 */
export function plainHint(reply: string, code = ""): string {
  const said = afterThoughts(reply)
    .replace(/\r\n?/g, "\n")
    .replace(/(```|~~~)[^]*?(\1|$)/g, "")
    .split("\n")
    .filter((line) => !isCode(line))
    .join("\n")
    .replace(/(`+)([^`\n]+)\1/g, (span, _, inner: string) => (/^[\w.]*(?:\(\))?$/.test(inner.trim()) || code.includes(inner.trim()) ? span : "…"))
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return withoutLinks(said.length > LONGEST_HINT ? `${said.slice(0, LONGEST_HINT)}…` : said);
}

/** A line that is Python rather than a sentence, also behind a list's bullet. */
function isCode(line: string): boolean {
  const bare = line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "").trim().replace(/^(`+)(.*)\1$/, "$2");
  return (
    /^(?: {4,}|\t)\S/.test(line) ||
    /^(?:>{3}\s|(?:def|class|import|from|print|return|while|for|if)\b.*[:)]$)/.test(bare) ||
    /^[A-Za-z_][\w.]*(?:\[[^\]]*\])?\s*(?:[-+*/%]|\/\/|\*\*)?=(?!=)\s*\S/.test(bare) ||
    /^[A-Za-z_][\w.]*\([^)]*\)+$/.test(bare)
  );
}

/** The editor makes links, also of commands, out of a message's `[text](address)`; words from elsewhere get none. */
export function withoutLinks(text: string): string {
  return text.replace(/\]\(/g, "] (");
}

/** The program in a reply: the last block that is marked Python, else the last block; undefined where there is none. */
export function programIn(reply: string): string | undefined {
  const blocks = [...afterThoughts(reply).matchAll(/^[ \t]*(```+|~~~+)[ \t]*([\w+-]*)[^\n]*\n([^]*?)^[ \t]*\1[ \t]*$/gm)];
  const marked = blocks.filter((block) => ["python", "python3", "py"].includes((block[2] ?? "").toLowerCase()));
  return (marked.at(-1) ?? blocks.at(-1))?.[3];
}

function afterThoughts(reply: string): string {
  return (reply.split(/<\/(?:think|thinking|thought|reasoning)>/i).at(-1) ?? "").replace(/<(?:think|thinking|thought|reasoning)>[^]*$/i, "");
}

/** Whether `url` is an address that can be asked. One with a password in it is not: a key has its own, safer place. */
export function isAddress(url: string): boolean {
  try {
    const { protocol, username, password } = new URL(url);
    return ["http:", "https:"].includes(protocol) && username === "" && password === "";
  } catch {
    return false;
  }
}

/** Whether `key` can be sent in a header. */
export function isKey(key: string): boolean {
  return /^[\x21-\x7e]*$/.test(key);
}

/** The name under which an endpoint's key is kept: a key is sent to the server that it was given for, and to no other. */
export function secretOf(url: string): string {
  return `hints.key ${new URL(url).origin}`;
}

function completions(url: string): URL {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/+$/, "")}/chat/completions`;
  address.hash = "";
  return address;
}

/** The model's reply, waited for no longer than `patience` (milliseconds). Throws a HintError. */
export async function ask(endpoint: Endpoint, messages: readonly Message[], signal: AbortSignal, patience = PATIENCE_MS): Promise<string> {
  const clock = AbortSignal.timeout(patience);
  let response: Response;
  let text: string;
  try {
    response = await fetch(completions(endpoint.url), {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(endpoint.key === undefined ? {} : { Authorization: `Bearer ${endpoint.key}` }) },
      body: JSON.stringify({ model: endpoint.model, messages, temperature: 0.2, max_tokens: 2048 }),
      // A redirect could lead the program elsewhere than the user agreed to.
      redirect: "error",
      signal: AbortSignal.any([signal, clock]),
    });
    text = await beginningOf(response);
  } catch (error) {
    if (signal.aborted) {
      throw new HintError("cancelled", "");
    }
    throw clock.aborted ? new HintError("slow", "") : new HintError("unreachable", told(causeOf(error), endpoint));
  }
  if (!response.ok) {
    throw new HintError("refused", told(`${String(response.status)} ${messageIn(text)}`.trim(), endpoint));
  }
  const reply = contentIn(text);
  if (reply === undefined) {
    throw new HintError("strange", told(text.slice(0, 100), endpoint));
  }
  if (reply.trim() === "") {
    throw new HintError("empty", "");
  }
  return reply;
}

/** A reply's text as far as it is read: an endpoint may never come to an end. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    length += part.byteLength;
    if (length >= LONGEST_REPLY) {
      break;
    }
  }
  return text + decoder.decode();
}

/** Words from elsewhere, short, on one line, without links, and without the key, which some endpoints and errors repeat. */
function told(reason: string, { key }: Endpoint): string {
  const safe = key === undefined || key === "" ? reason : reason.replaceAll(key, "…");
  return withoutLinks(safe.replace(/\s+/g, " ")).slice(0, LONGEST_REASON);
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
