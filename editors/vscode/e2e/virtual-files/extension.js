// A file system in memory with one program, and a command that opens it.
const vscode = require("vscode");

const files = new Map([["/lesson.py", Buffer.from("total = 1\nprint(totl)\n")]]);

class Memory {
  #changed = new vscode.EventEmitter();
  onDidChangeFile = this.#changed.event;
  watch() {
    return new vscode.Disposable(() => {});
  }
  stat(uri) {
    const content = this.readFile(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: content.length };
  }
  readFile(uri) {
    const content = files.get(uri.path);
    if (content === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return content;
  }
  writeFile(uri, content) {
    files.set(uri.path, content);
  }
  readDirectory() {
    return [...files.keys()].map((name) => [name.slice(1), vscode.FileType.File]);
  }
  createDirectory() {}
  delete() {}
  rename() {}
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider("memory", new Memory()),
    vscode.commands.registerCommand("virtual.open", () => vscode.window.showTextDocument(vscode.Uri.parse("memory:/lesson.py"))),
  );
};
