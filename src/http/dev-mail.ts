import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './context'
import { sendDownload } from './files/table-download'
import { findLocalMail, listLocalMails, type LocalMail } from '../mail/local-mails'
import { ProductError } from '../shared/errors'

type Html = ReturnType<typeof html>

/** `/dev/mail`: what was sent, on a person's own machine. Elsewhere it does not exist. */
export const devMailRoutes = new Hono<AppEnv>()
  .use(async (c, next) => {
    if (!c.get('deps').settings.LOCAL_MODE) throw new ProductError('not_found')
    c.header('Cache-Control', 'private, no-store')
    await next()
  })
  .use(
    secureHeaders({
      contentSecurityPolicy: {
        ...{ defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"], frameSrc: ["'self'"] },
        ...{ baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
      },
    }),
  )
  .get('/', async (c) => {
    const mails = await listLocalMails(c.get('deps'))
    const items = mails.map(
      (mail) =>
        html`<li>
          <a href="/dev/mail/${mail.id}"><strong>${mail.subject}</strong></a>
          <span>to ${mail.to} · ${sentAt(mail)} · ${mail.state}</span>
        </li>`,
    )
    const list =
      items.length === 0
        ? html`<p>No mails yet</p>`
        : html`<ul>
            ${items}
          </ul>`
    return c.html(
      htmlDocument(
        'Sent mails',
        html`<h1>Sent mails</h1>
          <p>Shown in local mode only. <a href="/dev/mail">Reload</a></p>
          ${list}`,
      ),
    )
  })
  .get('/:id', async (c) => {
    const mail = await findLocalMail(c.get('deps'), c.req.param('id'))
    if (!mail) throw new ProductError('not_found')
    const body = html`<p><a href="/dev/mail">All mails</a></p>
      <h1>${mail.subject}</h1>
      <p>To ${mail.to} · ${sentAt(mail)} · ${mail.state}</p>
      ${mail.attachment === null ? '' : attachmentLink(mail.id, mail.attachment)}
      <iframe
        title="The mail"
        sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
        srcdoc="${openLinksInTab(mail.html)}"
      ></iframe>
      <details open>
        <summary>As text</summary>
        <pre>${linkifyUrls(mail.text)}</pre>
      </details>`
    return c.html(htmlDocument(mail.subject, body))
  })

  .get('/:id/attachment', async (c) => {
    const mail = await findLocalMail(c.get('deps'), c.req.param('id'))
    const stored = mail?.attachment && (await c.get('deps').files.get(mail.attachment.key))
    if (!mail?.attachment || !stored) throw new ProductError('not_found')
    return sendDownload(c, { ...mail.attachment, body: stored.body })
  })

const attachmentLink = (id: string, { fileName, size }: NonNullable<LocalMail['attachment']>): Html =>
  html`<p>Attachment: <a href="/dev/mail/${id}/attachment">${fileName}</a> (${Math.ceil(size / 1024)} kB)</p>`

const sentAt = ({ at }: LocalMail): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** Links of the mail open in the tab, not in the frame. */
const openLinksInTab = (mail: string): string => mail.replace('<head>', '<head><base target="_top">')

/** The text with the addresses in it as links. */
const linkifyUrls = (text: string): (string | Html)[] =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))

const STYLE = `:root{color-scheme:light dark;--line:#8884}body{max-width:760px;margin:0 auto;padding:24px 16px;font:14px/1.5 system-ui,sans-serif}
*{box-sizing:border-box}h1{font-size:20px;line-height:1.35}ul{padding:0;list-style:none}li{padding:10px 0;border-bottom:1px solid var(--line)}li span{display:block}
a{color:light-dark(#0b5c75,#74b7c9)}iframe{width:100%;height:620px;border:1px solid var(--line);border-radius:7px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:14px;border:1px solid var(--line);border-radius:7px}summary{margin:16px 0 8px;cursor:pointer}`

const htmlDocument = (title: string, body: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`
