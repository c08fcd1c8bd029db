import { vi } from 'vitest'
import type { Person } from '../http/person.ts'

/** The newest mail to an address whose subject begins so: its page for developers, and where that is. */
export async function mailPage(address: string, to: string, subject: string): Promise<{ path: string; text: string }> {
  const line = new RegExp(`<a href="([^"]+)"><strong>${subject}[^<]*</strong></a>\\s*<span>to ${to} `)
  const listed = async (): Promise<string> => {
    const path = line.exec(await (await fetch(`${address}/dev/mail`)).text())?.[1]
    if (path === undefined) throw new Error('The mail has not come.')
    return path
  }
  const path = await vi.waitFor(listed, { timeout: 60_000 })
  return { path, text: await (await fetch(`${address}${path}`)).text() }
}

/** Opens the link of the mail that a new address is confirmed by. */
export async function confirmByMail(person: Person, email: string): Promise<void> {
  const { text } = await mailPage(person.address, email, 'Confirm')
  await person.confirmEmail({ link: /<pre>[\s\S]*?href="([^"]+#[^"]+)"/.exec(text)?.[1] ?? null })
}
