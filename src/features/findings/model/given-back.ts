import { isMoneyFigure, isResultAmount, isTotalAmount } from '../../../shared/data-sources/key-columns'
import type { AnalyzedMetric, DetectedFinding } from '../../../shared/findings'
import type { AnalysisSubject } from './subject'

/** What is left of amounts, by its name or since a person wants more of it and it names neither an amount nor a number of things. */
export const isResultFigure = (about: AnalyzedMetric): boolean =>
  isResultAmount(about) || (isMoneyFigure(about) && about.direction !== 'down' && !isTotalAmount(about))

const memberName = (dimension: string, value: unknown): string => JSON.stringify([dimension, value])
/** Who brings less than nothing of the main amount gives back what was sold: returns and credit notes make no loss of their own. */
export const isReturn = ({ kind, member }: DetectedFinding, givenBack: ReadonlySet<string>): boolean =>
  kind === 'loss' && member !== null && givenBack.has(memberName(member.dimension, member.value))
/** Members that bring less than nothing of an amount, by name. */
export const membersWithReturns = ({ dimensions }: AnalysisSubject): string[] =>
  dimensions.flatMap(({ key, members }) =>
    members.flatMap(({ member, series }) =>
      series.value.reduce<number>((sum, value) => sum + Number(value ?? 0), 0) < 0 ? [memberName(key, member)] : [],
    ),
  )
