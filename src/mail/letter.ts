/** What a mail says, as plain text: the frame lays it out and escapes it. */
export interface MailContent {
  subject: string
  heading: string
  /** Paragraphs above the button. */
  body: string[]
  /** Things with a page of their own, each with what is said of it. `heading` stands above the first of a kind. */
  items?: { title: string; lines: string[]; href: string; heading?: string }[]
  button: { label: string; href: string } | null
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
