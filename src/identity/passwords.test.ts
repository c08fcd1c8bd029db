import { expect, it } from 'vitest'
import { depsAt } from '../../test/worker/deps'

/** Known answers of the reference implementation (phc-winner-argon2, `src/test.c`): password, salt "somesalt". */
const REFERENCE = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'

it('hashes as the reference implementation of argon2id does', async () => {
  const { passwords } = depsAt(0)
  expect(await passwords.verify('password', REFERENCE)).toEqual({ ok: true, outdated: true })
  expect((await passwords.verify('passwore', REFERENCE)).ok).toBe(false)
})
