/** Which documents are programs that someone writes, and which are only shown: the old side of a comparison, a proposed repair, an output. */

const ALWAYS: readonly string[] = ["file", "untitled", "vscode-notebook-cell"];

/** Older versions of programs that can be read as files. */
const NEVER: readonly string[] = ["git", "gitfs", "review", "pr", "vscode-local-history", "vscode-chat-editing-snapshot-text-model"];

/**
 * Whether a Python document of `scheme` is checked. One that no file system of the editor holds is made by an extension to be
 * looked at (a text document content provider).
 */
export function isProgram(scheme: string, files: { isWritableFileSystem(scheme: string): boolean | undefined }): boolean {
  return ALWAYS.includes(scheme) || (!NEVER.includes(scheme) && files.isWritableFileSystem(scheme) !== undefined);
}

/** Whether samples can be run on a document of `scheme`: the exercises are found from where the program lies on this computer. */
export function hasExercises(scheme: string): boolean {
  return scheme === "file";
}
