import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine } from '../csv-line'
import { validateGrouping } from './validation'
import { groupingCsvRows, parseGroupCsv, applyGroupCsv } from './csv'
import { moveMembers, membershipChangesBetween, createGroupLookup, matchableText } from './matching'
import { groupSimilarSpellings } from './similar-spellings'
import { validityPeriodAt, groupPaths, groupingSize } from './groupings'
import type { GroupingContent, ValidityPeriod, GroupNode, GroupingRule } from './groupings'

const idOf = (n: number): string => `gpm_${String(n).padStart(20, '0')}`
const group = (n: number, name: string, rules: GroupingRule[], parent: number | null = null): GroupNode => ({
  ...{ id: idOf(n), name, rules, color: null, order: n },
  parentId: parent === null ? null : idOf(parent),
})
const era = (...groups: GroupNode[]): ValidityPeriod => ({ from: null, groups })
const define = (...eras: ValidityPeriod[]): GroupingContent => ({
  fallback: { kind: 'ungrouped', name: 'Ungrouped' },
  eras,
})
const groupIn = (of: ValidityPeriod, text: string): string | null => {
  const id = createGroupLookup(of).groupOf(matchableText(text))
  return of.groups.find((each) => each.id === id)?.name ?? null
}

describe('which group a value belongs to', () => {
  const sales = era(
    group(1, 'Nordics', [{ kind: 'in', values: ['Sweden', 'Norge'] }]),
    group(2, 'S countries', [{ kind: 'startsWith', value: 'S' }]),
    group(3, 'Accounts', [{ kind: 'accounts', from: 3000, to: 3799 }]),
    group(4, 'Small', [{ kind: 'range', from: 0, to: 10 }]),
    group(5, 'Coded', [{ kind: 'regex', pattern: '^[a-z]{2}-\\d+$' }]),
    group(6, 'Land', [{ kind: 'contains', value: 'LAND' }]),
  )

  it.each([
    ['sweden', 'Nordics'],
    [' NORGE ', 'Nordics'],
    ['Spain', 'S countries'],
    ['Switzerland', 'S countries'],
    ['Finland', 'Land'],
    ['SE-12', 'S countries'],
    ['no-12', 'Coded'],
    ['3000', 'Accounts'],
    ['3799', 'Accounts'],
    ['3799.5', null],
    ['3800', null],
    ['0', 'Small'],
    ['9,99', 'Small'],
    ['10', null],
    ['-1', null],
    ['', null],
    ['Åland', 'Land'],
    ['Malta', null],
  ])('%s → %s', (text, name) => {
    expect(groupIn(sales, text)).toBe(name)
  })

  it.each(['startsWith', 'contains'] as const)(
    'takes nothing by a rule without a text (%s), which is no rule yet',
    (kind) => {
      const unwritten = era(group(1, 'A', [{ kind, value: ' ' }]))
      expect(groupIn(unwritten, 'Sweden')).toBe(null)
      expect(Object.keys(validateGrouping(define(unwritten)))).toEqual(['eras.0.groups.0.rules.0'])
    },
  )

  it('takes texts as the same whatever their case, spaces and composition', () => {
    const place = era(group(1, 'A', [{ kind: 'in', values: ['A\u030aland  Öar'] }]))
    expect(groupIn(place, 'åland öar')).toBe('A')
  })

  it('gives an expression that would run for ever elsewhere its answer at once', () => {
    const evil = era(group(1, 'A', [{ kind: 'regex', pattern: '^(a+)+$' }]))
    expect(groupIn(evil, `${'a'.repeat(900)}b`)).toBe(null)
    expect(groupIn(evil, 'AAA')).toBe('A')
  })

  it('lets no value stand in two groups, and those named one by one come before every rule', () => {
    const texts = fc.stringMatching(/^[a-c]{1,4}$/)
    const rule = fc.oneof(
      texts.map((value): GroupingRule => ({ kind: 'startsWith', value })),
      texts.map((value): GroupingRule => ({ kind: 'contains', value })),
    )
    const property = fc.property(fc.array(rule, { maxLength: 5 }), fc.array(texts), texts, (rules, named, value) => {
      const of = moveMembers(era(group(1, 'Ruled', rules), group(2, 'Named', [])), named, idOf(2))
      const expected = named.includes(value)
        ? 'Named'
        : rules.some((each) =>
              each.kind === 'startsWith'
                ? value.startsWith(each.value)
                : each.kind === 'contains' && value.includes(each.value),
            )
          ? 'Ruled'
          : null
      expect(groupIn(of, value)).toBe(expected)
    })
    fc.assert(property, { numRuns: 200 })
  })
})

describe('a definition that cannot be kept', () => {
  it('is told where and why', () => {
    const bad = define({
      from: null,
      groups: [
        group(1, 'A', [
          { kind: 'in', values: ['x'] },
          { kind: 'range', from: 0, to: 10 },
        ]),
        group(2, 'a', [{ kind: 'equals', value: 'X ' }]),
        group(3, 'B', [{ kind: 'range', from: 9, to: 20 }], 9),
        group(4, 'C', [{ kind: 'range', from: 5, to: 5 }], 4),
        group(5, 'ungrouped', [{ kind: 'regex', pattern: '(?=a)' }]),
        group(6, 'D', [{ kind: 'regex', pattern: '(a{1,50}){1,20}' }]),
      ],
    })
    expect(validateGrouping(bad)).toEqual({
      'eras.0.groups.1.name': 'Group a already exists.',
      'eras.0.groups.1.rules': '“X ” is already in A.',
      'eras.0.groups.2.parentId': 'Parent group not found.',
      'eras.0.groups.2.rules.0': 'Range overlaps A.',
      'eras.0.groups.3.parentId': 'Choose another parent: a group can’t contain itself.',
      'eras.0.groups.3.rules.0': expect.stringMatching(/end above the start/),
      'eras.0.groups.4.name': 'Enter another name: ungrouped values use it.',
      'eras.0.groups.4.rules.0': expect.stringMatching(/^Invalid regex/),
      'eras.0.groups.5.rules.0': expect.stringMatching(/too slow/),
    })
    // Each is short enough, and all of them together are not.
    const slow = { kind: 'regex' as const, pattern: '([a-d]{0,40}b){9}z' }
    expect(validateGrouping(define(era(group(1, 'A', [slow, slow]))))).toEqual({})
    expect(validateGrouping(define(era(group(1, 'A', [slow, slow, slow]))))).toEqual({
      'eras.0.groups.0.rules.2': expect.stringMatching(/too slow together/),
    })
    expect(validateGrouping(define({ from: '2026-01-01', groups: [] }))).toHaveProperty(['eras.0.from'])
    expect(validateGrouping(define({ from: null, groups: [] }, { from: null, groups: [] }))).toHaveProperty([
      'eras.1.from',
    ])
  })

  it('has at most four levels', () => {
    const deep = [1, 2, 3, 4, 5].map((n) => group(n, `L${n}`, [], n === 1 ? null : n - 1))
    expect(validateGrouping(define(era(...deep.slice(0, 4))))).toEqual({})
    expect(validateGrouping(define(era(...deep)))).toEqual({ 'eras.0.groups.4.parentId': 'Enter at most 4 levels.' })
    expect(
      groupPaths(deep.slice(0, 4))
        .get(idOf(4))
        ?.map(({ name }) => name),
    ).toEqual(['L1', 'L2', 'L3', 'L4'])
  })
})

describe('moving and counting', () => {
  it('moves values out of where they were named, and back', () => {
    const before = era(
      group(1, 'A', [{ kind: 'in', values: ['x', 'y'] }]),
      group(2, 'B', [{ kind: 'equals', value: 'z' }]),
    )
    const after = moveMembers(before, ['X', 'z', 'new', 'New'], idOf(2))
    expect(['x', 'y', 'z', 'new'].map((text) => groupIn(after, text))).toEqual(['B', 'A', 'B', 'B'])
    expect(membershipChangesBetween(before, after, ['x', 'y', 'z', 'new'])).toMatchObject({
      added: 1,
      moved: 1,
      removed: 0,
    })
    expect(groupIn(moveMembers(after, ['x'], null), 'x')).toBe(null)
    expect(groupingSize(define(before, { ...after, from: '2026-01-01' }))).toEqual({ groups: 2, members: 7 })
  })

  it('finds the period of a day', () => {
    const eras = [null, '2025-01-01', '2026-01-01'].map((from) => ({ from, groups: [] }))
    expect(
      ['1999-12-31', '2024-12-31', '2025-01-01', '2025-12-31', '2026-05-05'].map((day) => validityPeriodAt(eras, day)),
    ).toEqual([0, 0, 1, 1, 2])
  })
})

describe('a file of groups', () => {
  const names = fc
    .stringMatching(/^[A-Za-zÅ=+'"; ,.-]{1,12}$/)
    .filter((name) => name.trim() === name && /[A-Za-z]/.test(name))
  const rules: fc.Arbitrary<GroupingRule> = fc.oneof(
    fc.uniqueArray(names, { minLength: 1, maxLength: 3 }).map((values): GroupingRule => ({ kind: 'in', values })),
    names.map((value): GroupingRule => ({ kind: 'contains', value })),
    fc.tuple(fc.integer(), fc.integer()).map(([from, to]): GroupingRule => ({ kind: 'range', from, to })),
    fc.tuple(fc.nat(9999), fc.nat(9999)).map(([from, to]): GroupingRule => ({ kind: 'accounts', from, to })),
  )

  it('read back says what was written', () => {
    const eras = fc
      .tuple(
        fc.uniqueArray(names, { minLength: 1, maxLength: 4, selector: (n) => n.toLowerCase() }),
        fc.array(rules, { maxLength: 4 }),
      )
      .map(([titles, given]) => titles.map((name, i) => group(i + 1, name, i === 0 ? given : [], i > 1 ? 1 : null)))
    const property = fc.property(eras, (groups) => {
      let next = 100
      const text = [...groupingCsvRows(era(...groups))].map((cells) => csvLine(cells)).join('')
      const { era: back, errors } = applyGroupCsv(era(), parseGroupCsv(text), () => idOf(next++))
      const repeated = new Set(
        groups[0]?.rules.flatMap((rule) => (rule.kind === 'in' ? rule.values.map((v) => v.toLowerCase()) : [])),
      )
      expect(errors).toEqual([])
      expect(back.groups.map(({ name }) => name).toSorted()).toEqual(groups.map(({ name }) => name).toSorted())
      for (const value of repeated) expect(groupIn(back, value)).toBe(groups[0]?.name)
      const kinds = (of: GroupNode[]) =>
        new Set(
          of.flatMap((each) => each.rules.filter(({ kind }) => kind !== 'in').map((rule) => JSON.stringify(rule))),
        )
      expect(kinds(back.groups)).toEqual(kinds(groups))
    })
    fc.assert(property, { numRuns: 200 })
  })

  it('says by line what cannot be taken', () => {
    const text = 'Group;Value\nNordics;Sweden\n;Norge\nNordics > Öst;Finland;nonsense\nA>B>C>D>E;x\nBenelux;sweden\n'
    let next = 7
    const { errors, groupsMade } = applyGroupCsv(era(), parseGroupCsv(text), () => idOf(next++))
    expect(errors.map(({ line }) => line)).toEqual([3, 4, 5, 6])
    expect(groupsMade).toBe(2)
  })
})

describe('spellings that look alike', () => {
  const spell = (text: string, weight = 1, groupId: string | null = null) => ({ text, weight, groupId })
  it('come together under the most frequent one; numbers tell apart', () => {
    const found = groupSimilarSpellings([
      spell('Volvo Personvagnar AB', 9),
      spell('VOLVO PERSONVAGNAR', 3),
      spell('Volvo Personvagner AB', 1),
      spell('Personvagnar Volvo', 1),
      spell('Store 1'),
      spell('Store 2'),
      spell('Ericsson', 2, 'g1'),
      spell('Ericson', 1),
      spell('Ikea'),
    ])
    expect(found.map(({ groupId, name, members }) => [groupId, name, members.length])).toEqual([
      ['g1', 'Ericsson', 1],
      [null, 'Volvo Personvagnar AB', 4],
    ])
  })

  it('are found among 20,000 values within a second or so', () => {
    const words = ['north', 'south', 'energy', 'foods', 'metal', 'paper', 'trade', 'group', 'nordic', 'baltic']
    const all = Array.from({ length: 20_000 }, (_, i) => {
      const base = `${words[i % 10] ?? ''}${String.fromCharCode(97 + ((i >> 3) % 26))} ${words[(i >> 4) % 10] ?? ''} ${(i >> 1).toString(36).replace(/\d/g, 'x')}`
      return spell(i % 2 === 0 ? base : base.toUpperCase(), i)
    })
    const started = performance.now()
    expect(groupSimilarSpellings(all).length).toBeGreaterThan(1_000)
    // Two cores may be shared by many tests: this holds the kind of growth, not the second.
    expect(performance.now() - started).toBeLessThan(8_000)
  })

  it('take no longer for long texts that are nearly alike, and leave out what is no name', { timeout: 30_000 }, () => {
    const nearly = (length: number, times: number) => {
      const base = Array.from({ length }, (_, at) => String.fromCharCode(97 + ((at * 7) % 26)))
      return Array.from({ length: times }, (_, i) => {
        return spell(base.map((sign, at) => ((at * 31 + i * i * 17 + at * i) % 101 < 12 ? 'q' : sign)).join(''), i)
      })
    }
    // Each pair of the long ones takes half a second when all of it is compared; of the others there are a million.
    expect(groupSimilarSpellings(nearly(3_000, 20))).toEqual([])
    const found = groupSimilarSpellings([...nearly(190, 5_000), spell('Ericsson', 9_000), spell('Ericson')])
    expect(found[0]?.members.map(({ text }) => text)).toEqual(['Ericsson', 'Ericson'])
  })
})
