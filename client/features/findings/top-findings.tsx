import { useQuery } from '@tanstack/react-query'
import { LinkAnchor } from '../../ui/links'
import { SectionCard } from '../../ui/section-card'
import { FindingItem } from './finding-item'
import classes from './findings.module.css'
import { topFindingsQuery } from './queries'

const TOP_FINDINGS_COUNT = 3

/** Whether they are on their way: what stands below them waits, and does not move when they come. */
export function useTopFindingsPending(): boolean {
  const { isLoading, failureCount } = useQuery(topFindingsQuery(TOP_FINDINGS_COUNT))
  return isLoading && failureCount === 0
}

/** Above the list of insights: the most telling findings of the workspace. Nothing while there are none. */
export function TopFindings() {
  const findings = useQuery(topFindingsQuery(TOP_FINDINGS_COUNT))
  const items = findings.data?.items ?? []
  if (items.length === 0) return null
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <SectionCard title="What changed">
        <ul className={classes.list}>
          {items.map((finding, at) => {
            const [insight] = finding.about.insights
            return (
              <FindingItem key={finding.id} finding={finding} isLead={at === 0}>
                {insight !== undefined && (
                  <LinkAnchor to="/insights/$id" params={{ id: insight }} size="xs">
                    Open the insight
                  </LinkAnchor>
                )}
              </FindingItem>
            )
          })}
        </ul>
      </SectionCard>
    </div>
  )
}
