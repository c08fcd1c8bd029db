import type { Contribution, ContributionTable, Finding } from '../../../src/shared/findings'
import { useCellFormatter } from '../../lib/cell-formatter'
import { inOneSentence, toNumber } from '../../../src/shared/figures/cell-formatter'
import { MutedText } from '../../ui/muted-text'
import { changeColumn, contributionLabel } from './contributions'

/** Members told of each side. */
const MEMBERS_TOLD = 3

interface Ends {
  top: Contribution[]
  bottom: Contribution[]
}

/** The members whose figures rose and fell most, the largest first; the line of the others is none. */
export function topAndBottom({ lines }: ContributionTable): Ends {
  const members = lines.filter(({ others }) => others === undefined)
  const changeOf = (line: Contribution): number => toNumber(line.change) ?? 0
  return {
    top: members
      .filter((line) => changeOf(line) > 0)
      .toSorted((a, b) => changeOf(b) - changeOf(a))
      .slice(0, MEMBERS_TOLD),
    bottom: members
      .filter((line) => changeOf(line) < 0)
      .toSorted((a, b) => changeOf(a) - changeOf(b))
      .slice(0, MEMBERS_TOLD),
  }
}

/** Which members rose and fell most in the split that tells most: "Top: West +12, North +5". Nothing where one line says all. */
export function TopAndBottomMembers({ finding }: { finding: Finding }) {
  const format = useCellFormatter()
  const [table] = finding.contributions
  if (!table) return null
  const { top, bottom } = topAndBottom(table)
  if (top.length + bottom.length < 2) return null
  const column = inOneSentence(
    changeColumn({ ...finding.about, previous: null, value: null, before: '', now: '' }),
    [...top, ...bottom].map(({ change }) => change),
  )
  const told = (lines: readonly Contribution[]): string =>
    lines
      .map((line) => `${contributionLabel(line, table, format)} ${format.signedSentence(line.change, column)}`)
      .join(', ')
  return (
    <>
      {top.length > 0 && <MutedText size="xs">{`Top in ${table.label}: ${told(top)}`}</MutedText>}
      {bottom.length > 0 && <MutedText size="xs">{`Bottom in ${table.label}: ${told(bottom)}`}</MutedText>}
    </>
  )
}
