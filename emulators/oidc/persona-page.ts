import type { Persona } from './personas.ts'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const hidden = (query: URLSearchParams): string =>
  [...query].map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`).join('')

function personaButton(persona: Persona, query: URLSearchParams): string {
  const address = persona.typesAddress
    ? `<p><label for="address-${persona.id}">Address of ${escape(persona.label)}</label><br>
       <input id="address-${persona.id}" name="address" type="email" required size="32" value="erik.holm@example.com"></p>`
    : ''
  return `<li><form method="get" action="authorize">${hidden(query)}${address}
    <button name="persona" value="${persona.id}">Continue as ${escape(persona.label)}</button></form></li>`
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
ul{list-style:none;padding:0}li{margin:0 0 1rem}button{font:inherit;padding:.6rem 1rem;border:1px solid #57606a;border-radius:.4rem;background:#f6f8fa;color:inherit;text-align:left}
input{font:inherit;padding:.4rem}button:focus-visible,input:focus-visible{outline:3px solid #0969da;outline-offset:2px}
@media(prefers-color-scheme:dark){body,input{color:#e6edf3;background:#0d1117}button{background:#21262d;border-color:#8b949e}}`

/** The page on which one chooses whom the stand-in says one is. */
export function personaPage(name: string, personas: readonly Persona[], query: URLSearchParams): string {
  const title = `Sign in with ${escape(name)} (stand-in)`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style><main><h1>${title}</h1>
<p>Test sign-in for ${escape(name)} on this machine. Nobody here is real.</p>
<ul>${personas.map((persona) => personaButton(persona, query)).join('')}</ul>
<form method="get" action="authorize">${hidden(query)}<button name="cancel" value="1">Cancel</button></form></main></html>`
}
