import { oneLine } from './address'
import type { Letter } from './letter'

const SUBJECT_MAX_CHARS = 200
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

export interface Framed {
  subject: string
  text: string
  html: string
}

/** Lays a letter out, as text and as HTML. Every text of the letter is escaped here, and stays on its line. */
export function framed(letter: Letter, appName: string): Framed {
  const subject = Array.from(oneLine(letter.subject)).slice(0, SUBJECT_MAX_CHARS).join('')
  return { subject, text: textOf(letter, appName), html: htmlOf({ ...letter, subject }, appName) }
}

function textOf({ heading, body, items = [], button, after, reason }: Letter, appName: string): string {
  const link = button === null ? [] : [`${oneLine(button.label)}:`, oneLine(button.href)]
  const foot = ['--', `${oneLine(reason)} ${NO_REPLY}`, oneLine(appName)].join('\n')
  const listed = items.map(({ title, lines, href, heading: kind }) => {
    const told = [title, ...lines, href].map(oneLine).join('\n')
    return kind === undefined ? told : `${oneLine(kind)}\n\n${told}`
  })
  return `${[oneLine(heading), ...body.map(oneLine), ...listed, ...link, ...after.map(oneLine), foot].join('\n\n')}\n`
}

const NO_REPLY = 'Replies to this address are not read.'

/** HTML-escaped, on one line. */
export const escaped = (text: string): string =>
  oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Colours stand twice: inline for clients that read no style sheet, and by class for dark ones. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:#12171c!important}.card{background:#171d23!important;border-color:#303942!important}
.text{color:#d9dfe4!important}.soft{color:#98a3ad!important}.rule{border-color:#303942!important}.brand,.link{color:#74b7c9!important}
.button{background:#0f6f8b!important}.press{background:#0f6f8b!important;color:#fff!important}}
@media (max-width:480px){.inner{padding:24px 20px!important}}`

const paragraph = (text: string): string =>
  `<p class="text" style="margin:0 0 14px;font-size:15px;line-height:1.55;color:#1d262e">${escaped(text)}</p>`
const small = (text: string): string =>
  `<p class="soft" style="margin:14px 0 0;font-size:13px;line-height:1.5;color:#566370">${escaped(text)}</p>`

type Item = NonNullable<Letter['items']>[number]
const above = (heading: string): string =>
  `<h2 class="text" style="margin:20px 0 10px;font-size:16px;line-height:1.35;font-weight:650;color:#1d262e">${escaped(heading)}</h2>`
const item = ({ title, lines, href, heading }: Item): string =>
  `${heading === undefined ? '' : above(heading)}<p class="text" style="margin:0 0 16px;font-size:15px;line-height:1.5;color:#1d262e"><a class="link" href="${escaped(href)}" style="color:#0b5c75;font-weight:600;text-decoration:none">${escaped(title)}</a>${lines.map((line) => `<br>${escaped(line)}`).join('')}</p>`

function action(button: NonNullable<Letter['button']>): string {
  const href = escaped(button.href)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:22px 0 18px"><tr><td class="button" bgcolor="#0b5c75" style="border-radius:7px;background:#0b5c75"><a class="press" href="${href}" style="display:inline-block;padding:11px 20px;border-radius:7px;background:#0b5c75;color:#ffffff;font-size:15px;font-weight:600;line-height:1.3;text-decoration:none">${escaped(button.label)}</a></td></tr></table>
<p class="soft" style="margin:0;font-size:13px;line-height:1.5;color:#566370">If the button does nothing, open this address:<br><a class="link" href="${href}" style="color:#0b5c75;word-break:break-all">${href}</a></p>`
}

function htmlOf({ subject, heading, body, items = [], button, after, reason }: Letter, appName: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escaped(subject)}</title><style>${STYLE}</style></head>
<body class="page" style="margin:0;padding:0;background:#f0f3f5;font-family:${FONT}">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f0f3f5"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left">
<tr><td class="brand" style="padding:0 4px 14px;font-size:17px;font-weight:650;color:#0b5c75">${escaped(appName)}</td></tr>
<tr><td class="card inner" style="padding:30px 32px;background:#ffffff;border:1px solid #e5eaed;border-radius:10px">
<h1 class="text" style="margin:0 0 16px;font-size:20px;line-height:1.35;font-weight:650;color:#1d262e">${escaped(heading)}</h1>
${body.map(paragraph).join('\n')}
${items.map(item).join('\n')}
${button === null ? '' : action(button)}
${after.map(small).join('\n')}
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;font-size:12px;line-height:1.5;color:#566370">${escaped(reason)} ${NO_REPLY}</td></tr>
</table></td></tr></table></body></html>
`
}
