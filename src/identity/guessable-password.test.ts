import { describe, expect, it } from 'vitest'
import { assertUnguessable } from './guessable-password'
import { ProductError } from '../shared/errors'
import { registerUser, PASSWORD } from '../../test/worker/accounts'
import { unique } from '../../test/worker/factories'
import { linkTokenInMail } from '../../test/worker/mails'

const about = {
  appName: 'Insikt',
  name: 'Anna Lindqvist',
  email: 'anna.lind@nordtra.se',
  workspaces: ['Nordträ AB', 'Skogen Bygg'],
}
const problemOf = async (password: string): Promise<unknown> => {
  try {
    await assertUnguessable(password, { about, field: 'password' })
    return null
  } catch (error) {
    return error instanceof ProductError ? error.details['fields'] : error
  }
}

describe('a chosen password', () => {
  it.each([
    'qwerty123456',
    'QWERTY123456',
    'Password2026!',
    'p@ssw0rd20262026',
    'passwordpassword',
    '123456789012',
    '987654321098',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijklm',
    '!!!dragon!!!2024',
  ])('%s is too common, with what to do', async (password) => {
    expect(await problemOf(password)).toEqual({ password: 'Too common. Try a sentence.' })
  })

  it.each([
    'AnnaLindqvist2026',
    'Nordträ-2026-!!',
    'insikt123456789',
    'anna.lind@nordtra.se',
    'skogenbygg-2027',
    '1ns1kt-Anna-99',
  ])('%s is made of what everybody knows of the person', async (password) => {
    expect(await problemOf(password)).toEqual({
      password: 'Don’t use your name, email or company. Try a sentence.',
    })
  })

  it.each([
    'correct horse battery staple',
    'a sentence nobody guesses',
    'Anna bakes bread on Sundays',
    'kT9#vQ2m!xZ7pL',
  ])('%s is taken', async (password) => {
    expect(await problemOf(password)).toBeNull()
  })
})

describe('a common password', () => {
  const refused = { code: 'invalid_input', fields: { password: 'Too common. Try a sentence.' } }

  it('is refused at registration, at a reset and at a change, and the link of the reset stays', async () => {
    const { me, anon, email } = await registerUser()
    const json = { name: 'Bo Ek', email: `${unique('bo')}@example.com`, password: 'Password2026!', acceptTerms: true }
    const registered = await anon.fetch('/api/account/register', { method: 'POST', json })
    expect([registered.status, await registered.json()]).toMatchObject([422, refused])
    const change = { current: PASSWORD, next: 'Password2026!' }
    const changed = await me.fetch('/api/account/password', { method: 'PUT', json: change })
    expect([changed.status, await changed.json()]).toMatchObject([422, { fields: { next: expect.any(String) } }])
    await anon.fetch('/api/account/reset', { method: 'POST', json: { email } })
    const token = await linkTokenInMail(email, 'reset')
    const confirm = (password: string) =>
      anon.fetch('/api/account/reset/confirm', { method: 'POST', json: { token, password } })
    const reset = await confirm('Password2026!')
    expect([reset.status, await reset.json()]).toMatchObject([422, refused])
    expect((await confirm('another long sentence')).status).toBe(200)
  })
})
