const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const hidden = (query: URLSearchParams): string =>
  [...query].map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`).join('')

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
button{font:inherit;padding:.6rem 1rem;border:1px solid #57606a;border-radius:.4rem;background:#f6f8fa;color:inherit;margin:0 .5rem .5rem 0}
button:focus-visible{outline:3px solid #0969da;outline-offset:2px}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}button{background:#21262d;border-color:#8b949e}}`

/** The page on which somebody agrees that their data may be read, or does not. */
export function consentPage(
  vendor: string,
  asked: { account: string; permissions: readonly string[]; query: URLSearchParams },
): string {
  const title = `Allow Insikt to read from ${escape(vendor)}? (stand-in)`
  const wanted = asked.permissions.map((permission) => `<li>${escape(permission)}</li>`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style><main><h1>${title}</h1>
<p>Test page for ${escape(vendor)} on this machine. The company is made up: ${escape(asked.account)}.</p>
<ul>${wanted}</ul>
<form method="get">${hidden(asked.query)}<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Cancel</button></form></main></html>`
}
