import { toSingleLine } from './address'

/** What a mail says, as plain text: the frame lays it out and escapes it. */
export interface MailContent {
  subject: string
  heading: string
  /** Paragraphs above the button. */
  body: string[]
  /** Things with a page of their own, each with what is said of it. `heading` stands above the first of a kind. */
  items?: { title: string; lines: string[]; href: string; heading?: string }[]
  button: { label: string; href: string } | null
  /** A quiet link below everything but the foot. */
  link?: { words: string; href: string }
  /** Paragraphs below the button: how long it works, what to do when it was not oneself. */
  after: string[]
  /** Why this person got the mail, in the foot. */
  reason: string
}

/** What templates may know of the installation. */
export interface TemplateContext {
  appName: string
  /** Made for the link this mail carries; '' for mails without one. */
  token: string
  /** Made for the link by which an invitation is reported; '' for other mails. */
  reportToken: string
  /** The page on which the recipient of a report unsubscribes; '' for other mails. */
  unsubscribe: string
  /** A page of ours as an address. */
  page: (path: string) => string
  /** As {@link page}, opened in the workspace that the mail is about. */
  workspacePage: (path: string) => string
}

/** An instant in words that are the same everywhere: nobody's time zone is known to a mail. */
export const formatInstant = (at: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} (UTC)`

/** The day of an instant where somebody's clock is known, in UTC otherwise. */
export const formatDay = (at: number, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(at)

const SUBJECT_MAX_CHARS = 200
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

export interface RenderedMail {
  subject: string
  text: string
  html: string
  /** Where the recipient's mail program says, in one POST, that they want no more of these (RFC 8058). */
  unsubscribe?: string
}

/** Lays a letter out, as text and as HTML. Every text of the letter is escaped here, and stays on its line. */
export function renderMail(mailContent: MailContent, appName: string): RenderedMail {
  const subject = Array.from(toSingleLine(mailContent.subject)).slice(0, SUBJECT_MAX_CHARS).join('')
  return { subject, text: renderText(mailContent, appName), html: renderHtml({ ...mailContent, subject }, appName) }
}

function renderText(mailContent: MailContent, appName: string): string {
  const { heading, body, items = [], button, after, link: quiet, reason } = mailContent
  const more = quiet === undefined ? [] : [`${toSingleLine(quiet.words)}\n${toSingleLine(quiet.href)}`]
  const link = button === null ? [] : [`${toSingleLine(button.label)}:`, toSingleLine(button.href)]
  const foot = ['--', `${toSingleLine(reason)} ${NO_REPLY}`, toSingleLine(appName)].join('\n')
  const listed = items.map(({ title, lines, href, heading: kind }) => {
    const told = [title, ...lines, href].map(toSingleLine).join('\n')
    return kind === undefined ? told : `${toSingleLine(kind)}\n\n${told}`
  })
  return `${[toSingleLine(heading), ...body.map(toSingleLine), ...listed, ...link, ...after.map(toSingleLine), ...more, foot].join('\n\n')}\n`
}

const NO_REPLY = 'Replies aren’t read.'

/** HTML-escaped, on one line. */
const escapeHtml = (text: string): string =>
  toSingleLine(text)
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

const paragraphHtml = (text: string): string =>
  `<p class="text" style="margin:0 0 14px;font-size:15px;line-height:1.55;color:#1d262e">${escapeHtml(text)}</p>`
const noteHtml = (text: string): string =>
  `<p class="soft" style="margin:14px 0 0;font-size:13px;line-height:1.5;color:#566370">${escapeHtml(text)}</p>`

const linkHtml = ({ words, href }: NonNullable<MailContent['link']>): string =>
  `<p class="soft" style="margin:14px 0 0;font-size:13px;line-height:1.5;color:#566370"><a class="link" href="${escapeHtml(href)}" style="color:#0b5c75">${escapeHtml(words)}</a></p>`

type Item = NonNullable<MailContent['items']>[number]
const itemHeading = (heading: string): string =>
  `<h2 class="text" style="margin:20px 0 10px;font-size:16px;line-height:1.35;font-weight:650;color:#1d262e">${escapeHtml(heading)}</h2>`
const itemHtml = ({ title, lines, href, heading }: Item): string =>
  `${heading === undefined ? '' : itemHeading(heading)}<p class="text" style="margin:0 0 16px;font-size:15px;line-height:1.5;color:#1d262e"><a class="link" href="${escapeHtml(href)}" style="color:#0b5c75;font-weight:600;text-decoration:none">${escapeHtml(title)}</a>${lines.map((line) => `<br>${escapeHtml(line)}`).join('')}</p>`

function buttonHtml(button: NonNullable<MailContent['button']>): string {
  const href = escapeHtml(button.href)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:22px 0 18px"><tr><td class="button" bgcolor="#0b5c75" style="border-radius:7px;background:#0b5c75"><a class="press" href="${href}" style="display:inline-block;padding:11px 20px;border-radius:7px;background:#0b5c75;color:#ffffff;font-size:15px;font-weight:600;line-height:1.3;text-decoration:none">${escapeHtml(button.label)}</a></td></tr></table>
<p class="soft" style="margin:0;font-size:13px;line-height:1.5;color:#566370">Or open this link:<br><a class="link" href="${href}" style="color:#0b5c75;word-break:break-all">${href}</a></p>`
}

function renderHtml(
  { subject, heading, body, items = [], button, after, link, reason }: MailContent,
  appName: string,
): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>
<body class="page" style="margin:0;padding:0;background:#f0f3f5;font-family:${FONT}">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f0f3f5"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left">
<tr><td class="brand" style="padding:0 4px 14px;font-size:17px;font-weight:650;color:#0b5c75">${escapeHtml(appName)}</td></tr>
<tr><td class="card inner" style="padding:30px 32px;background:#ffffff;border:1px solid #e5eaed;border-radius:10px">
<h1 class="text" style="margin:0 0 16px;font-size:20px;line-height:1.35;font-weight:650;color:#1d262e">${escapeHtml(heading)}</h1>
${body.map(paragraphHtml).join('\n')}
${items.map(itemHtml).join('\n')}
${button === null ? '' : buttonHtml(button)}
${after.map(noteHtml).join('\n')}
${link === undefined ? '' : linkHtml(link)}
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;font-size:12px;line-height:1.5;color:#566370">${escapeHtml(reason)} ${NO_REPLY}</td></tr>
</table></td></tr></table></body></html>
`
}
