import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppCheckError, appCheckHeader, AppCheckContainer } from './app-check'
import { describeError } from './describe-error'
import { setSession } from './session'
import { visitorPageData } from '../test/page-data'
import { renderWithProviders } from '../test/render'

type Options = Parameters<NonNullable<Window['turnstile']>['render']>[1]

/** A widget that does what the test says. */
function widget(act: (options: Options, box: HTMLElement) => void) {
  const stand = {
    render: vi.fn((box: HTMLElement, options: Options) => {
      queueMicrotask(() => act(options, box))
      return 'widget-1'
    }),
    remove: vi.fn(),
  }
  window.turnstile = stand
  return stand
}
const script = () => document.head.querySelector<HTMLScriptElement>('script[src*="challenges.cloudflare.com"]')
const configured = () => {
  const { config } = visitorPageData()
  setSession(visitorPageData({ config: { ...config, appCheck: { siteKey: 'site-key' } } }))
}

beforeEach(() => {
  configured()
})
afterEach(() => {
  delete window.turnstile
  script()?.remove()
})

describe('the check that tells people from programs', () => {
  it('loads nothing and shows nothing where it is not configured', async () => {
    setSession(visitorPageData())
    expect(await appCheckHeader()).toEqual({})
    const { container } = await renderWithProviders(<AppCheckContainer />)
    expect(script()).toBeNull()
    expect(container.querySelector('[role="group"]')).toBeNull()
  })

  it('gives every call a token of its own, and leaves no widget behind', async () => {
    let serial = 0
    const stand = widget(({ callback }) => callback(`token-${++serial}`))
    await renderWithProviders(<AppCheckContainer />)
    expect([await appCheckHeader(), await appCheckHeader()]).toEqual([
      { 'x-app-check': 'token-1' },
      { 'x-app-check': 'token-2' },
    ])
    expect(stand.render.mock.calls[0]?.[1].sitekey).toBe('site-key')
    expect(stand.remove).toHaveBeenCalledTimes(2)
    expect(screen.getByRole('group')).toBeEmptyDOMElement()
  })

  it('shows what needs a click inside the form, and waits for the person', async () => {
    const person = userEvent.setup()
    widget((options, box) => {
      options['before-interactive-callback']()
      const button = box.appendChild(document.createElement('button'))
      button.textContent = 'I am a person'
      button.addEventListener('click', () => options.callback('clicked'))
    })
    await renderWithProviders(<AppCheckContainer />)
    const header = appCheckHeader()
    const button = await screen.findByRole('button', { name: 'I am a person' })
    expect(screen.getByRole('group')).toContainElement(button)
    await person.click(button)
    expect(await header).toEqual({ 'x-app-check': 'clicked' })
  })

  it('says in words that it came to nothing, and the next try makes a new check', async () => {
    let fails = true
    widget((options) => (fails ? options['error-callback']() : options.callback('second')))
    const error = await appCheckHeader().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppCheckError)
    expect(describeError(error).title).toBe('Couldn’t verify that you’re human')
    fails = false
    expect(await appCheckHeader()).toEqual({ 'x-app-check': 'second' })
  })

  it('loads its script with the nonce of the page, and again after a blocker kept it away', async () => {
    const added: HTMLScriptElement[] = []
    const append = vi.spyOn(document.head, 'append').mockImplementation((node) => {
      if (node instanceof HTMLScriptElement) added.push(node)
    })
    const meta = Object.assign(document.createElement('meta'), { nonce: 'nonce-1' })
    meta.setAttribute('property', 'csp-nonce')
    document.body.append(meta)
    const first = appCheckHeader().catch((thrown: unknown) => thrown)
    await waitFor(() => expect(added).toHaveLength(1))
    expect(added[0]?.nonce).toBe('nonce-1')
    expect(added[0]?.src).toBe('https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit')
    added[0]?.dispatchEvent(new Event('error'))
    expect(await first).toBeInstanceOf(AppCheckError)

    const [second, third] = [appCheckHeader(), appCheckHeader()]
    await waitFor(() => expect(added).toHaveLength(2))
    widget(({ callback }) => callback('loaded'))
    added[1]?.dispatchEvent(new Event('load'))
    expect(await Promise.all([second, third])).toEqual([{ 'x-app-check': 'loaded' }, { 'x-app-check': 'loaded' }])
    expect(added).toHaveLength(2)
    append.mockRestore()
    meta.remove()
  })
})
