;;; emacs_session.el --- A person at Emacs, played from a list of steps  -*- lexical-binding: t; -*-

;; Run by test_emacs.py, in a terminal of its own, as  emacs -nw -q -l emacs_session.el
;; PYMETA_SESSION names a JSON file {pymeta_el, cmd, settings, file, steps}; the answers go to <that file>.answers.
;; A step is {"wait": n} (until n diagnostics are shown) or {"edit": [line, text]}; each leaves one answer.

(require 'package)
(package-initialize)
(require 'json)
(require 'flymake)

(defvar session-path (getenv "PYMETA_SESSION"))
(defvar session (let ((json-object-type 'alist) (json-array-type 'list)) (json-read-file session-path)))
(defvar session-patience-seconds 30)

(defun session-get (name) (alist-get name session))

(defun session-shown ()
  "What Flymake shows in this buffer."
  (vconcat
   (mapcar
    (lambda (each)
      (let ((beginning (flymake-diagnostic-beg each)) (end (flymake-diagnostic-end each)))
        `((line . ,(1- (line-number-at-pos beginning)))
          (text . ,(buffer-substring-no-properties beginning end))
          (type . ,(symbol-name (flymake-diagnostic-type each)))
          (message . ,(flymake-diagnostic-text each)))))
    (flymake-diagnostics))))

(defun session-wait (count)
  (let ((deadline (+ (float-time) session-patience-seconds)))
    (while (and (< (float-time) deadline) (/= (length (flymake-diagnostics)) count))
      (sit-for 0.05)))
  (session-shown))

(defun session-edit (change)
  (goto-char (point-min))
  (forward-line (car change))
  (delete-region (point) (line-end-position))
  (insert (cadr change))
  t)

(defun session-play ()
  (let ((answers nil) (problem nil))
    (condition-case trouble
        (progn
          (load (session-get 'pymeta_el) nil t)
          (setq pymeta-command (session-get 'cmd)
                pymeta-settings (json-parse-string (json-encode (session-get 'settings)) :object-type 'plist))
          (find-file (session-get 'file))
          ;; Eglot waits for the end of a command.
          (execute-kbd-macro (kbd "C-l"))
          (dolist (step (session-get 'steps))
            (push (funcall (intern (format "session-%s" (caar step))) (cdar step)) answers)))
      (error (setq problem (error-message-string trouble))))
    (with-temp-file (concat session-path ".answers")
      (insert (json-encode `((answers . ,(vconcat (reverse answers))) (problem . ,problem)))))
    (setq kill-emacs-hook nil)
    (kill-emacs 0)))

(add-hook 'emacs-startup-hook (lambda () (run-with-timer 0 nil #'session-play)))
;;; emacs_session.el ends here
