import { useIsViewingAs } from '../../lib/gate'
import { MoreMenuEntry, MoreMenuFrame } from '../../ui/buttons/more-menu'
import { Button, Collapse, Group, Menu, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconEyeOff,
  IconInfoCircle,
  IconPin,
  IconPinFilled,
  IconThumbDown,
  IconThumbUp,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Finding, FindingCondition, FindingPeriod, FindingRating } from '../../../src/shared/findings'
import { TERMS } from '../../../src/shared/terms'
import type { Filter, QueryPlan } from '../../../src/shared/query/plan'
import { equalsFilter, measureFilters } from '../../lib/query-builder/catalogue'
import { bucketEnd, dayOf } from '../../../src/shared/figures/time-buckets'
import { useCellFormatter } from '../../lib/cell-formatter'
import { notifyError } from '../../ui/notify-error'
import { ContributionBreakdown, type ChangeSummary } from './contributions'
import classes from './findings.module.css'
import { hideFinding, pinFinding, rateFinding } from './queries'
import {
  describeConfidence,
  describeFindingPeriod,
  sentenceSegments,
  describeStatistic,
} from '../../lib/findings/finding-text'
import { TopAndBottomMembers } from './top-bottom'
import { INLINE_ACTION } from '../../ui/buttons/links'
import { MutedText } from '../../ui/muted-text'

function memberFilter({ about, member }: Finding): Filter[] {
  const field = member && about.dimensions.find(({ key }) => key === member.dimension)?.field
  if (!member || !field) return []
  return [equalsFilter(field, member.value)]
}

const conditionFilter = ({ field, op, value }: FindingCondition): Filter =>
  op === 'eq' ? equalsFilter(field, value) : { field, any: [{ op, value }] }

/** The days whose records tell of a finding: its own, but of a member that is gone those when it was there. */
const findingRecordsPeriod = ({ kind, period, comparison }: Finding): FindingPeriod =>
  kind === 'lostMember' ? (comparison ?? period) : period

/** The records that a finding is about: those of its member, in its days. */
export function findingRecordsPlan(finding: Finding): QueryPlan {
  const { about } = finding
  const period = findingRecordsPeriod(finding)
  const [from, last] = [dayOf(period.from) ?? period.from, dayOf(period.to) ?? period.to]
  const range = { kind: 'absolute' as const, from, to: bucketEnd(last, period.grain) }
  return {
    v: 2,
    kind: 'rows',
    dataset: about.dataset,
    measures: [],
    dimensions: [],
    filters: [
      ...about.filters,
      ...measureFilters(about.measure, undefined),
      ...(finding.conditions?.map(conditionFilter) ?? memberFilter(finding)),
    ],
    period: { field: about.time, range, compare: 'none', completeOnly: false },
  }
}

const TONE_DISPLAY = {
  good: { Icon: IconCircleCheck, words: 'Favourable' },
  bad: { Icon: IconAlertTriangle, words: 'Unfavourable' },
  neutral: { Icon: IconInfoCircle, words: 'Neutral' },
} as const

export interface FindingItemProps {
  finding: Finding
  isLead?: boolean
  /** Whose rows it is of and to when they go, where findings of several sources stand together. */
  source?: string
  /** Opens the records behind it; absent where there is no room for them. */
  onRecords?: (plan: QueryPlan, title: string) => void
  children?: ReactNode
}

export function FindingItem({ finding, isLead = false, source, onRecords, children }: FindingItemProps) {
  const format = useCellFormatter()
  const [open, { toggle }] = useDisclosure(false)
  const { Icon, words } = TONE_DISPLAY[finding.tone]
  const pieces = sentenceSegments(finding, format)
  const hasContributions = finding.contributions.length > 0
  return (
    <li className={classes.finding} data-tone={finding.tone}>
      <Icon size={20} aria-label={words} role="img" className={classes.tone ?? ''} />
      <div className={classes.body}>
        <Text size={isLead ? 'md' : 'sm'} fw={isLead ? 500 : 400} style={{ overflowWrap: 'anywhere' }}>
          {pieces.map(({ text, strong }, at) => (strong ? <b key={at}>{text}</b> : text))}
        </Text>
        <TopAndBottomMembers finding={finding} />
        <MutedText size="xs">
          {finding.pinned && 'Pinned · '}
          <Tooltip label={describeStatistic(finding, format)} events={{ hover: true, focus: true, touch: true }}>
            <span tabIndex={0} className={classes.basis}>
              {describeConfidence(finding, format)}
            </span>
          </Tooltip>
          {source && ` · ${source}`}
        </MutedText>
        <Group gap={0} className={classes.actions ?? ''}>
          {hasContributions && (
            <Button {...INLINE_ACTION} onClick={toggle} aria-expanded={open}>
              {open ? 'Hide contributions' : 'Show contributions'}
            </Button>
          )}
          {onRecords && (
            <Button
              {...INLINE_ACTION}
              onClick={() =>
                onRecords(findingRecordsPlan(finding), describeFindingPeriod(findingRecordsPeriod(finding)))
              }
            >
              {TERMS.viewRecords}
            </Button>
          )}
          {children}
        </Group>
        {hasContributions && (
          <Collapse expanded={open} keepMounted={false}>
            <div className={classes.made}>
              <ContributionBreakdown
                change={changeOfFinding(finding, describeFindingPeriod(finding.period), describeBaseline(finding))}
                tables={finding.contributions}
              />
            </div>
          </Collapse>
        )}
      </div>
      <FindingMenu finding={finding} />
    </li>
  )
}

const BASELINE_LABELS = {
  previous: TERMS.previousPeriod,
  year: TERMS.previousYear,
  expected: 'Expected',
  before: 'Before',
  target: 'Target',
  rest: 'Rest',
} as const
const describeBaseline = ({ comparison, against }: Finding): string =>
  comparison ? describeFindingPeriod(comparison) : BASELINE_LABELS[against]

const changeOfFinding = ({ about, effect }: Finding, now: string, before: string): ChangeSummary => ({
  label: about.label,
  format: about.format,
  scale: about.scale,
  previous: effect.previous,
  value: effect.value,
  now,
  before,
})

function FindingMenu({ finding }: { finding: Finding }) {
  const isViewingAs = useIsViewingAs()
  if (isViewingAs) return null
  const runAction = (work: Promise<void>): void => void work.catch(notifyError)
  const rate = (findingRating: FindingRating): void =>
    runAction(rateFinding(finding, finding.rating === findingRating ? null : findingRating))
  const { pinned, hidden, rating } = finding
  return (
    <MoreMenuFrame label="Finding actions">
      <MoreMenuEntry
        label={pinned ? 'Unpin' : 'Pin'}
        icon={pinned ? IconPinFilled : IconPin}
        onClick={() => runAction(pinFinding(finding, !pinned))}
      />
      <MoreMenuEntry
        label={hidden ? 'Show' : 'Hide for me'}
        icon={IconEyeOff}
        onClick={() => runAction(hideFinding(finding, !hidden))}
      />
      <Menu.Divider />
      <MoreMenuEntry
        label={rating === 'useful' ? 'Useful ✓' : 'Useful'}
        icon={IconThumbUp}
        onClick={() => rate('useful')}
      />
      <MoreMenuEntry
        label={rating === 'useless' ? 'Not useful ✓' : 'Not useful'}
        icon={IconThumbDown}
        onClick={() => rate('useless')}
      />
    </MoreMenuFrame>
  )
}
