import { QueryError } from '../../ui/query-view'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Finding, FindingPage } from '../../../src/shared/findings'
import type { Insight } from '../../../src/shared/insights'
import { TERMS } from '../../../src/shared/terms'
import type { QueryPlan } from '../../../src/shared/query/plan'
import { useCellFormatter } from '../../lib/cell-formatter'
import type { ChartAnnotation } from '../../ui/chart/annotations'
import { SectionCard } from '../../ui/section-card'
import { FindingItem } from './finding-item'
import classes from './findings.module.css'
import { insightFindingsQuery, topFindingsQuery } from './queries'
import { describeFindingPeriod, sentenceText } from '../../lib/findings/finding-text'
import { INLINE_ACTION, LinkAnchor, LinkButton } from '../../ui/buttons/links'
import { MutedText } from '../../ui/muted-text'

const NO_FINDINGS: readonly Finding[] = []
/** Kinds that belong to one unit of the time axis. */
const SINGLE_BUCKET_KINDS = new Set(['outlier', 'levelShift', 'trendBreak'])

export function useFindingAnnotations(insightId: string): ChartAnnotation[] {
  const findings = useQuery(insightFindingsQuery(insightId)).data?.items ?? NO_FINDINGS
  const format = useCellFormatter()
  return useMemo(
    () =>
      findings.flatMap((finding) =>
        SINGLE_BUCKET_KINDS.has(finding.kind)
          ? [{ start: finding.period.from, kind: 'unusual' as const, text: sentenceText(finding, format) }]
          : [],
      ),
    [findings, format],
  )
}

interface InsightFindingsProps {
  insight: Pick<Insight, 'id' | 'findings'>
  onRecords: (plan: QueryPlan, title: string) => void
}

/** The best findings in what an insight asks for. That nothing stands out is an answer too. */
export function InsightFindings({ insight, onRecords }: InsightFindingsProps) {
  // Somebody may have switched it off for this insight.
  const isEnabled = insight.findings === 'on'
  const findings = useQuery({ ...insightFindingsQuery(insight.id), enabled: isEnabled })
  if (!isEnabled) return null
  return (
    <SectionCard title={TERMS.findings}>
      {findings.isPending && <Skeleton height={56} role="status" aria-label="Loading" />}
      {findings.error && !findings.data && <QueryError query={findings} />}
      {findings.data && findings.data.items.length > 0 && (
        <ul className={classes.list}>
          {findings.data.items.map((finding, at) => (
            <FindingItem key={finding.id} finding={finding} isLead={at === 0} onRecords={onRecords} />
          ))}
        </ul>
      )}
      {findings.data && <FindingsStatus page={findings.data} />}
    </SectionCard>
  )
}

function FindingsStatus({ page }: { page: FindingPage }) {
  const { declined, newest, items, behind } = page
  if (declined !== undefined) return <MutedText role="status">{declined}</MutedText>
  const nothing =
    newest === undefined
      ? 'Too little history to judge. Needs more complete periods.'
      : `No findings. ${describeFindingPeriod(newest)} is within its normal range.`
  const words = [...(items.length === 0 ? [nothing] : []), ...(behind ? ['Analysing new rows.'] : [])]
  return words.length === 0 ? null : <MutedText role="status">{words.join(' ')}</MutedText>
}

const TOP_FINDINGS_COUNT = 3
/** How many of the workspace's findings are looked through for those of one source. */
const SOURCE_FINDINGS_MAX = 50

/** Whether they are on their way: what stands below them waits, and does not move when they come. */
export const useTopFindingsPending = (): boolean => useFindingsPending(TOP_FINDINGS_COUNT)
function useFindingsPending(count: number, enabled = true): boolean {
  const { isLoading, failureCount } = useQuery({ ...topFindingsQuery(count), enabled })
  return isLoading && failureCount === 0
}

/** As {@link useTopFindingsPending}, of the page of a source; `enabled`: where they may be seen. */
export const useSourceFindingsPending = (enabled: boolean): boolean => useFindingsPending(SOURCE_FINDINGS_MAX, enabled)

/** On the page of a source: the most telling findings in its tables. Nothing while there are none. */
export function SourceFindings({ datasets }: { datasets: readonly string[] }) {
  const { data } = useQuery(topFindingsQuery(SOURCE_FINDINGS_MAX))
  const items = (data?.items ?? NO_FINDINGS).filter(({ about }) => datasets.includes(about.dataset))
  if (items.length === 0) return null
  return (
    <SectionCard title={TERMS.findings}>
      <ul className={classes.list}>
        {items.slice(0, TOP_FINDINGS_COUNT).map((finding, at) => (
          <FindingItem key={finding.id} finding={finding} isLead={at === 0} />
        ))}
      </ul>
      <LinkAnchor to="/insights" size="sm">
        Questions your data can answer
      </LinkAnchor>
    </SectionCard>
  )
}

/** Above the list of insights: the most telling findings of the workspace. Nothing while there are none. */
export function TopFindings() {
  const findings = useQuery(topFindingsQuery(TOP_FINDINGS_COUNT))
  const items = findings.data?.items ?? []
  if (items.length === 0) return null
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <SectionCard title={TERMS.findings}>
        <ul className={classes.list}>
          {items.map((finding, at) => {
            const [insight] = finding.about.insights
            return (
              <FindingItem key={finding.id} finding={finding} isLead={at === 0}>
                {insight !== undefined && (
                  <LinkButton to="/insights/$id" params={{ id: insight }} {...INLINE_ACTION}>
                    View insight
                  </LinkButton>
                )}
              </FindingItem>
            )
          })}
        </ul>
      </SectionCard>
    </div>
  )
}
