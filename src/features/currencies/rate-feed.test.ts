import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { refreshRates, chooseFile, publicationDay } from './rate-feed'
import { ratesFile } from '../../../emulators/rates/rate-files'
import { depsAt } from '../../../test/worker/deps'

const at = (text: string): number => Date.parse(text)
const dump = async () => {
  const days = await env.DB.prepare('SELECT day, rates FROM reference_days ORDER BY day DESC').all<{
    day: string
    rates: string
  }>()
  const feed = await env.DB.prepare("SELECT * FROM rates_feed WHERE source = 'ecb'").first<Record<string, unknown>>()
  return { days: days.results, feed, newest: days.results[0]?.day }
}

/** Whoever calls at an instant, with what the bank answers then. */
function bank(answer: (name: string, now: number) => string | null = ratesFile) {
  const asked: string[] = []
  const call = (now: number, on = true) => {
    const deps = depsAt(now)
    return refreshRates({
      ...deps,
      settings: { ...deps.settings, RATES_FETCH: on, RATES_URL: 'http://rates.test/stats/eurofxref/' },
      operatorFetcher: async (request) => {
        const name = request.url.split('/').at(-1) ?? ''
        asked.push(name)
        const file = answer(name, now)
        return file === null ? new Response('no', { status: 503 }) : new Response(file)
      },
    })
  }
  return { asked, call }
}

beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM reference_days'), env.DB.prepare('DELETE FROM rates_feed')])
})

describe('rates that come in by themselves', () => {
  it('begin with those that come with the product, once', async () => {
    const { call, asked } = bank()
    await call(at('2026-03-10T18:00:00Z'), false)
    await call(at('2026-03-10T18:01:00Z'), false)
    const { days, newest, feed } = await dump()
    expect(asked).toEqual([])
    expect([days.length, newest, feed?.['version']]).toEqual([1438, '2024-08-09', 4])
    const known = (day: string): unknown => JSON.parse(days.find((each) => each.day === day)?.rates ?? '{}')
    expect(known('2024-08-09')).toMatchObject({ USD: '1.0917', SEK: '11.4955', ISK: '151.1' })
    expect(known('2024-08-09')).not.toHaveProperty('RUB')
    expect(known('2019-01-02')).toMatchObject({ USD: '1.1397', RUB: '79.3589', ZAR: '16.5075' })
  })

  it('are fetched once a round, and what was missed asleep in one call', async () => {
    const { call, asked } = bank()
    for (const minute of [0, 1, 2]) await call(at('2026-03-10T18:00:00Z') + minute * 60_000)
    expect(asked).toEqual(['eurofxref-hist.xml'])
    expect((await dump()).newest).toBe('2026-03-10')
    // The next day before and after the rates come.
    await call(at('2026-03-11T14:00:00Z'))
    expect(asked).toHaveLength(1)
    await call(at('2026-03-11T15:30:00Z'))
    expect(asked[1]).toBe('eurofxref-daily.xml')
    // Three days asleep.
    await call(at('2026-03-14T20:00:00Z'))
    await call(at('2026-03-14T20:01:00Z'))
    expect(asked.slice(2)).toEqual(['eurofxref-hist-90d.xml'])
    expect((await dump()).newest).toBe('2026-03-13')
  })

  it('are fetched once though clocks go back or change in spring, and though two call at once (TIME-2)', async () => {
    const { call, asked } = bank()
    await call(at('2026-03-27T18:00:00Z'))
    await Promise.all([call(at('2026-03-28T18:00:00Z')), call(at('2026-03-28T18:00:00Z'))])
    // 29 March 2026: clocks go from 2 to 3 o'clock. Then the machine's own clock goes back an hour.
    for (const time of ['T00:30:00Z', 'T01:30:00Z', 'T14:20:00Z', 'T13:20:00Z', 'T14:21:00Z'])
      await call(at(`2026-03-29${time}`))
    expect(asked).toHaveLength(3)
  })

  it('keep the last good ones while the bank does not answer, without a storm, and go on when it does', async () => {
    let isUp = true
    const { call, asked } = bank((name, now) => (isUp ? ratesFile(name, now) : null))
    await call(at('2026-03-10T18:00:00Z'))
    const before = await dump()
    isUp = false
    for (let minute = 0; minute < 120; minute += 3) await call(at('2026-03-11T16:00:00Z') + minute * 60_000)
    expect(asked.length).toBeLessThan(8)
    const during = await dump()
    expect(during.days).toEqual(before.days)
    expect(during.feed).toMatchObject({ version: before.feed?.['version'], failing_since: at('2026-03-11T16:00:00Z') })
    isUp = true
    await call(at('2026-03-12T04:00:00Z'))
    expect(await dump()).toMatchObject({ newest: '2026-03-11', feed: { failing_since: null, tries: 0 } })
  })

  it('take nothing from a file that is broken or of tomorrow', async () => {
    const { call } = bank(() => '<html><body>Maintenance</body>')
    await call(at('2026-03-10T18:00:00Z'))
    expect((await dump()).newest).toBe('2024-08-09')
    const far = bank((name) => ratesFile(name, at('2030-01-10T18:00:00Z')))
    await far.call(at('2026-03-11T18:00:00Z'))
    expect((await dump()).newest).toBe('2026-03-11')
  })

  it('take nothing from a bank that attacks, and go on when it is itself again', async () => {
    const cube = (day: string, rates: string) => `<Cube time="${day}">${rates}</Cube>`
    const sek = '<Cube currency="SEK" rate="11.1"/>'
    const hostile = [
      // Days that there are not would stay the newest known one for ever.
      cube('2026-02-99', sek),
      cube('2026-02-30', sek),
      cube('0000-00-00', sek),
      // Words of the file's own, and a tag without an end.
      `<!DOCTYPE a [<!ENTITY b "c">]>${cube('2026-03-09', '<Cube currency="SEK" rate="&b;"/>')}`,
      `<Cube time="${'9'.repeat(4_300_000)}`,
      // Rates that are none.
      ...['NaN', '-1', '0', '1e9', 'Infinity', '1234567890', '0x10', ' 1', ''].map((rate) =>
        cube('2026-03-09', `<Cube currency="SEK" rate="${rate}"/><Cube currency="__proto__" rate="1"/>`),
      ),
    ]
    for (const [n, body] of hostile.entries()) {
      await env.DB.prepare("UPDATE rates_feed SET next_try_at = 0, round = ''").run()
      await bank(() => `<Envelope>${body}</Envelope>`).call(at(`2026-03-10T18:${String(n).padStart(2, '0')}:00Z`))
      expect((await dump()).newest, body.slice(0, 80)).toBe('2024-08-09')
    }
    await bank().call(at('2026-03-11T18:00:00Z'))
    expect((await dump()).newest).toBe('2026-03-11')
  })

  it('change their version only when a rate changes', async () => {
    const { call } = bank()
    await call(at('2026-03-13T18:00:00Z'))
    const before = (await dump()).feed?.['version']
    // Saturday and Sunday bring nothing new.
    await call(at('2026-03-14T18:00:00Z'))
    await call(at('2026-03-15T18:00:00Z'))
    expect((await dump()).feed?.['version']).toBe(before)
    await call(at('2026-03-16T18:00:00Z'))
    expect((await dump()).feed?.['version']).toBe(Number(before) + 1)
  })
})

it('asks for the smallest file that holds what is missing', () => {
  expect(chooseFile(null, '2026-03-10')).toBe('history')
  expect(chooseFile('2026-03-09', '2026-03-10')).toBe('daily')
  expect(chooseFile('2026-03-06', '2026-03-09')).toBe('daily')
  expect(chooseFile('2026-03-05', '2026-03-09')).toBe('quarter')
  expect(chooseFile('2025-03-05', '2026-03-09')).toBe('history')
  expect(publicationDay(at('2026-03-10T15:14:59Z'))).toBe('2026-03-09')
  expect(publicationDay(at('2026-03-10T15:15:00Z'))).toBe('2026-03-10')
  expect(publicationDay(at('2026-07-10T14:15:00Z'))).toBe('2026-07-10')
})
