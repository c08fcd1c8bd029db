import { useEffect, useRef } from 'react'
import { pageNonce } from './page-nonce'
import { session, useSession } from './session'
import { APP_CHECK_HEADER, APP_CHECK_ORIGIN } from '../../src/shared/app-check'

const SCRIPT = `${APP_CHECK_ORIGIN}/turnstile/v0/api.js?render=explicit`
/** How long the check may take that asks nothing of the person. */
const CHECK_TIMEOUT_MS = 20_000

/** The part of the widget's library that is used. */
interface Turnstile {
  render: (box: HTMLElement, options: WidgetOptions) => string | undefined
  remove: (widget: string) => void
}
interface WidgetOptions {
  sitekey: string
  appearance: 'interaction-only'
  'refresh-expired': 'never'
  callback: (token: string) => void
  'error-callback': () => boolean
  'timeout-callback': () => void
  'before-interactive-callback': () => void
}
declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

/** The check could not be made: its script did not load, or it came to nothing. A new try makes a new check. */
export class AppCheckError extends Error {
  override readonly name = 'AppCheckError'
}

/** Where the widget shows itself when it needs a click; the innermost form that is shown. */
const containers: HTMLElement[] = []

/** Names a place for the widget while a form is shown; answers how to take it back. */
function registerContainer(box: HTMLElement): () => void {
  containers.push(box)
  return () => {
    containers.splice(containers.indexOf(box), 1)
  }
}

/**
 * The header that proves a person to calls that ask for it; none where the installation has no check. Every call gets a
 * check of its own, since a token is good for one.
 * @throws AppCheckError
 */
export async function appCheckHeader(): Promise<Record<string, string>> {
  const { appCheck } = session().config
  if (!appCheck) return {}
  return { [APP_CHECK_HEADER]: await requestToken(await loadTurnstile(), appCheck.siteKey) }
}

let turnstileLoading: Promise<Turnstile> | null = null

/** Loads the library when it is first needed; after a failure the next call tries again. */
async function loadTurnstile(): Promise<Turnstile> {
  if (window.turnstile) return window.turnstile
  turnstileLoading ??= insertScript().finally(() => {
    turnstileLoading = null
  })
  return turnstileLoading
}

function insertScript(): Promise<Turnstile> {
  const { promise, resolve, reject } = Promise.withResolvers<Turnstile>()
  const script = document.createElement('script')
  const failed = (): void => {
    script.remove()
    reject(new AppCheckError('Couldn’t load the human check.'))
  }
  const late = setTimeout(failed, CHECK_TIMEOUT_MS)
  script.src = SCRIPT
  script.async = true
  script.nonce = pageNonce()
  script.addEventListener('error', failed)
  script.addEventListener('load', () => (window.turnstile ? resolve(window.turnstile) : failed()))
  document.head.append(script)
  return promise.finally(() => clearTimeout(late))
}

async function requestToken(turnstile: Turnstile, sitekey: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const failed = (): void => reject(new AppCheckError('The human check failed.'))
  const place = document.createElement('div')
  const box = containers.at(-1) ?? document.body
  box.append(place)
  const late = setTimeout(failed, CHECK_TIMEOUT_MS)
  const widget = turnstile.render(place, {
    sitekey,
    appearance: 'interaction-only',
    'refresh-expired': 'never',
    callback: resolve,
    // `true` says that the fault is dealt with, here by a sentence above the form.
    'error-callback': () => {
      failed()
      return true
    },
    'timeout-callback': failed,
    // From here on it waits for the person, who takes the time it takes.
    'before-interactive-callback': () => clearTimeout(late),
  })
  try {
    return await promise
  } finally {
    clearTimeout(late)
    if (widget !== undefined) turnstile.remove(widget)
    place.remove()
  }
}

/** In a form: where the check that tells people from programs shows itself, if it needs a click. Usually empty. */
export function AppCheckContainer() {
  const box = useRef<HTMLDivElement>(null)
  const shown = useSession().config.appCheck !== null
  useEffect(() => (shown && box.current ? registerContainer(box.current) : undefined), [shown])
  return shown ? <div ref={box} role="group" aria-label="Confirm you’re human" /> : null
}
