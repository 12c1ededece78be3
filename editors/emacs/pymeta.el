;;; pymeta.el --- PyMETA through Eglot  -*- lexical-binding: t; -*-

;; Emacs 29 and newer carry Eglot; for Emacs 26 to 28 it is on GNU ELPA (Debian: elpa-eglot).
;; See README.md beside this file.

;;; Code:

(require 'eglot)

(defgroup pymeta nil
  "What kind of error a Python program has."
  :group 'python)

(defcustom pymeta-command '("pymeta-lsp" "--stdio")
  "The server's command line."
  :type '(repeat string))

(defcustom pymeta-settings nil
  "The settings of section `pymeta', a plist such as (:language \"zh\" :check \"onSave\")."
  :type 'plist)

(defun pymeta--contact (&rest _)
  "The command line, and the settings to begin with."
  (append pymeta-command
          (and pymeta-settings (list :initializationOptions pymeta-settings))))

(add-to-list 'eglot-server-programs '((python-mode python-ts-mode) . pymeta--contact))

(add-hook 'python-mode-hook #'eglot-ensure)
(add-hook 'python-ts-mode-hook #'eglot-ensure)

(provide 'pymeta)
;;; pymeta.el ends here
