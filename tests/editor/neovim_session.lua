-- A person at Neovim, played from a list of steps. Run by test_neovim.py as
--   nvim --headless --clean -S neovim_session.lua
-- PYMETA_SESSION names a JSON file {pymeta_lua, cmd, settings, file, steps} and is answered in <that file>.answers.
-- A step is {"ready": true} (until the server has taken the program), {"wait": n} (until n diagnostics are shown),
-- {"pause": milliseconds}, {"edit": [line, text]}, {"save": true}, {"hover": [line, column]} or {"fix": part of a title};
-- each leaves one answer.

local path = os.getenv("PYMETA_SESSION")
local session = vim.fn.json_decode(vim.fn.readfile(path))
local patience_ms = 30000
local answers = {}

local function shown()
  local result = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local line = vim.api.nvim_buf_get_lines(0, each.lnum, each.lnum + 1, false)[1] or ""
    table.insert(result, {
      line = each.lnum,
      column = each.col, -- bytes
      text = each.lnum == each.end_lnum and line:sub(each.col + 1, each.end_col) or vim.NIL,
      code = each.code or each.user_data.lsp.code,
      source = each.source,
      severity = vim.diagnostic.severity[each.severity],
      message = each.message,
    })
  end
  return result
end

local function client()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
end

local function encoding()
  return client().offset_encoding
end

local function ask(method, parameters)
  local replies = vim.lsp.buf_request_sync(0, method, parameters, patience_ms) or {}
  for _, reply in pairs(replies) do
    return reply.result
  end
end

local steps = {}

function steps.ready()
  vim.wait(patience_ms, function()
    return client() ~= nil
  end, 5)
  -- Answered only after what came before it.
  ask("textDocument/hover", vim.lsp.util.make_position_params(0, encoding()))
  return true
end

function steps.wait(count)
  vim.wait(patience_ms, function()
    return #vim.diagnostic.get(0) == count
  end, 5)
  return shown()
end

function steps.pause(milliseconds)
  vim.wait(milliseconds, function()
    return false
  end, 5)
  return shown()
end

function steps.edit(change)
  vim.api.nvim_buf_set_lines(0, change[1], change[1] + 1, false, { change[2] })
  return true
end

function steps.save()
  vim.cmd("silent write")
  return true
end

function steps.hover(place)
  vim.api.nvim_win_set_cursor(0, { place[1] + 1, place[2] })
  local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, encoding()))
  return hover and hover.contents.value or vim.NIL
end

function steps.fix(title)
  local first = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local parameters = vim.lsp.util.make_range_params(0, encoding())
  parameters.context = { diagnostics = {} }
  for _, action in ipairs(ask("textDocument/codeAction", parameters) or {}) do
    if action.title:find(title, 1, true) then
      vim.lsp.util.apply_workspace_edit(action.edit, encoding())
      return vim.api.nvim_buf_get_lines(0, 0, -1, false)
    end
  end
  return vim.NIL
end

local ok, problem = pcall(function()
  package.preload["pymeta"] = loadfile(session.pymeta_lua)
  require("pymeta").setup({ cmd = session.cmd, settings = session.settings })
  vim.cmd("filetype on")
  vim.cmd("edit " .. vim.fn.fnameescape(session.file))
  for _, step in ipairs(session.steps) do
    local name, argument = next(step)
    table.insert(answers, { steps[name](argument) })
  end
end)
vim.fn.writefile({ vim.fn.json_encode({ answers = answers, problem = ok and vim.NIL or tostring(problem) }) }, path .. ".answers")
vim.cmd("qall!")
