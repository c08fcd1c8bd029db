import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const STYLE = `:root{color-scheme:light dark;--text:#1b1f24;--quiet:#57606a;--page:#f6f8fa;--card:#fff;--line:#d0d7de;--mark:#0f5b66;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--quiet:#9aa4af;--page:#0d1117;--card:#161b22;--line:#3d444d;--mark:#7fd1de;--on:#06262b;--bad:#ff9d94}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;margin:0;color:var(--text);background:var(--page)}
.banner{padding:.6rem 1rem;text-align:center;font-weight:600;color:var(--on);background:var(--mark)}
main{max-width:36rem;margin:1.5rem auto;padding:0 1rem}h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:0 0 .5rem}
section{margin:1rem 0;padding:1rem;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}p{margin:.25rem 0}
.quiet{color:var(--quiet)}.problem{color:var(--bad);font-weight:600}a{color:var(--mark)}
dl,table{width:100%;margin:0}dl>div{display:flex;justify-content:space-between;gap:1rem;padding:.35rem 0;border-bottom:1px solid var(--line)}
dl>div:last-child{border:0}dt,dd{margin:0;overflow-wrap:anywhere}dd{text-align:right;font-variant-numeric:tabular-nums;flex:none;max-width:65%}.sum{font-weight:700}
form{margin:0}.actions{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:.8rem}
fieldset{border:0;margin:0;padding:0}legend{font-weight:600;padding:0}fieldset label{display:flex;gap:.6rem;align-items:baseline;padding:.3rem 0}
button,.button{font:inherit;font-weight:600;padding:.6rem 1rem;border:1px solid var(--mark);border-radius:.4rem;color:var(--on);background:var(--mark);cursor:pointer;text-decoration:none}
button.plain,.button.plain{color:var(--text);background:transparent;border-color:var(--line)}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}ul{list-style:none;margin:0;padding:0}li{padding:.35rem 0;border-bottom:1px solid var(--line)}li:last-child{border:0}`

/** A page of the stand-in, which says so on top. */
export const pageFrame = (title: string, body: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} (test billing)</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <header class="banner">Test billing — no money moves</header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`

/** Smallest units as text: 45000 eur → €450.00. */
export const formatMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-IE', { style: 'currency', currency: currency.toUpperCase() }).format(minor / 100)

/** The day of an instant (epoch seconds), in UTC. */
export const formatDay = (at: number): string =>
  new Date(at * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Names with what they are worth, one under the other. */
export const definitionList = (rows: { name: string; value: string; sum?: boolean }[]): Html =>
  html`<dl>
    ${rows.map(
      ({ name, value, sum }) =>
        html`<div class="${sum ? 'sum' : ''}">
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`

/** What went wrong with the last step, said to screen readers at once. */
export const errorMessage = (problem: string | null): Html =>
  problem === null ? html`` : html`<p class="problem" role="alert">${problem}</p>`

/** Two test cards to choose from. */
export const cardPicker = (): Html =>
  html`<fieldset>
    <legend>Test card</legend>
    <label><input type="radio" name="card" value="works" checked /> Card that works, ending 4242</label>
    <label><input type="radio" name="card" value="declined" /> Card that is declined, ending 0341</label>
  </fieldset>`
