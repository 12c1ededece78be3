-- PyMETA in Neovim 0.7 and newer. See README.md beside this file.
--
--   require("pymeta").setup()
--   require("pymeta").setup({ settings = { language = "zh", check = "onSave" } })
--
-- One server runs for each folder of programs and is shared by its files.

local M = {}

local defaults = {
  -- The server's command line.
  cmd = { "pymeta-lsp", "--stdio" },
  -- The settings of section `pymeta`: language, check, delay, ignore, stages, …
  settings = {},
  -- A folder that holds one of these is the root of the programs below it; else a program's own folder is.
  root_markers = { "pymeta.toml", ".pymeta", "pyproject.toml", ".git" },
  -- Called as on_attach(client, buffer), to set keys.
  on_attach = nil,
}

local clients = {} -- root folder -> client id

local function root_of(file, markers)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local here = folder
  while true do
    for _, marker in ipairs(markers) do
      if vim.loop.fs_stat(here .. "/" .. marker) then
        return here
      end
    end
    local above = vim.fn.fnamemodify(here, ":h")
    if above == here then
      return folder
    end
    here = above
  end
end

local function attach(buffer, options)
  if vim.bo[buffer].buftype ~= "" then
    return
  end
  local root = root_of(vim.api.nvim_buf_get_name(buffer), options.root_markers)
  local configuration = {
    name = "pymeta",
    cmd = options.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    -- Neovim tells no language of its own: settings.language says which one to read.
    settings = { pymeta = options.settings },
    init_options = options.settings,
    on_attach = options.on_attach,
    on_exit = function()
      clients[root] = nil
    end,
  }
  if vim.lsp.start then -- 0.8 and newer
    vim.api.nvim_buf_call(buffer, function()
      vim.lsp.start(configuration)
    end)
    return
  end
  if not clients[root] then
    clients[root] = vim.lsp.start_client(configuration)
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

function M.setup(options)
  options = vim.tbl_extend("force", defaults, options or {})
  local group = vim.api.nvim_create_augroup("pymeta", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "python",
    callback = function(event)
      attach(event.buf, options)
    end,
  })
  -- Programs that were open before.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == "python" then
      attach(buffer, options)
    end
  end
end

return M
