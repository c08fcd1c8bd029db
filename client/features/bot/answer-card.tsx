import { Alert, Badge, Button, Group, List, Stack, Text, Tooltip } from '@mantine/core'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './bot.module.css'
import { PlanChips } from './plan-chips'
import type { BotSlots } from './bot-slots'
import type { ReplyExtras } from './use-asking'
import { useCellFormatter } from '../../lib/cell-formatter'
import { useQueryFigures } from './use-figures'
import { ErrorState } from '../../ui/error-state'
import { MoreMenu, type MoreMenuItem } from '../../ui/buttons/more-menu'
import { MutedText } from '../../ui/muted-text'
import { ChartSkeleton } from '../../ui/skeletons'
import { describeAnswer, describeDrivers, hasFigures } from '../../../src/shared/bot/sentences'
import type { BotMessage } from '../../../src/shared/bot/conversations'
import type { BotAnswer, BotInterpretation, BotReading } from '../../../src/shared/bot/interpretation'
import type { QueryPlan } from '../../../src/shared/query/plan'
import { drillPlan } from '../../lib/marks/drill-plan'

interface AnswerCardProps {
  message: BotMessage
  reading: BotReading
  extras: ReplyExtras | undefined
  slots: BotSlots
  busy: boolean
  /** Absent: a copy to read. */
  actions?: AnswerActions | undefined
}
export interface AnswerActions {
  onChangePlan: (message: BotMessage, plan: QueryPlan) => void
  onWrong: (message: BotMessage) => void
  /** Absent: they may not. */
  onVerify?: ((message: BotMessage) => void) | undefined
  onAsk: (question: string, after: string) => void
}

/** An answer: a sentence, its picture, how it was read, and what can be done with it. */
export function AnswerCard({ message, reading, extras, slots, busy, actions }: AnswerCardProps) {
  const format = useCellFormatter()
  const figures = useQueryFigures(reading.plan)
  const [asTable, setAsTable] = useState(false)
  const [records, setRecords] = useState(false)
  const { result, error } = figures
  const shown = result && hasFigures(result) ? result : null
  const isWhy = message.reply?.kind === 'way' && message.reply.way === 'why'
  const drivers = extras?.drivers ?? null
  const sentence = drivers ? describeDrivers(drivers, format) : shown ? describeAnswer(reading, shown, format) : null
  const canRecord = shown !== null && reading.plan.kind === 'aggregate' && reading.plan.measures.length > 0
  const title = reading.words
  return (
    <article className={`surface ${classes.answer}`} aria-label={`Answer: ${title}`}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <Text fw={600} style={{ minWidth: 0 }}>
            {sentence ?? title}
          </Text>
          <Group gap={4} wrap="nowrap">
            <VerifiedBadge reply={message.reply} />
            {actions && (
              <MoreMenu label={`More for ${title}`} items={menuItems({ message, reading, actions, slots })} />
            )}
          </Group>
        </Group>
        <PlanChips
          reading={reading}
          busy={busy}
          {...(actions ? { onChange: (plan: QueryPlan) => actions.onChangePlan(message, plan) } : {})}
        />
        {error && !result && <ErrorState error={error} onRetry={figures.refetch} />}
        {!result && !error && <ChartSkeleton height={220} />}
        {result && !shown && <Text size="sm">No data for this period.</Text>}
        {isWhy && slots.renderDrivers({ plan: reading.plan, viz: reading.viz })}
        {shown && !isWhy && slots.renderResult({ reading, result: shown, title, asTable })}
        {reading.assumptions.length > 0 && (
          <List size="sm" c="dimmed">
            {reading.assumptions.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        )}
        {shown && (
          <Group justify="space-between" gap="xs">
            {slots.renderFreshness(shown)}
            <Group gap="xs">
              {reading.viz.chart !== 'table' && !isWhy && (
                <Button size="compact-sm" variant="subtle" onClick={() => setAsTable(!asTable)}>
                  {asTable ? 'Show chart' : 'Show table'}
                </Button>
              )}
              {canRecord && (
                <Button size="compact-sm" variant="subtle" onClick={() => setRecords(true)}>
                  View records
                </Button>
              )}
            </Group>
          </Group>
        )}
        {shown && slots.renderDetails({ plan: reading.plan, result: shown })}
        {message.feedback && <MutedText size="xs">Reported as wrong. Analysts can see your question.</MutedText>}
        {actions && extras && extras.followUps.length > 0 && (
          <FollowUps items={extras.followUps} busy={busy} onAsk={(question) => actions.onAsk(question, message.id)} />
        )}
      </Stack>
      {shown &&
        slots.renderRecords({
          records: records ? { plan: drillPlan({ plan: reading.plan, result: shown, row: null }), title } : null,
          onClose: () => setRecords(false),
        })}
    </article>
  )
}

function menuItems(of: {
  message: BotMessage
  reading: BotReading
  actions: AnswerActions
  slots: BotSlots
}): (MoreMenuItem | false)[] {
  const { message, reading, actions, slots } = of
  const { onVerify } = actions
  const canExplain = reading.plan.period !== undefined && reading.plan.measures.length > 0
  return [
    ...slots.menuItems(reading),
    canExplain && { label: 'Explain', onClick: () => actions.onAsk('Why?', message.id) },
    onVerify !== undefined && { label: 'Verify answer', onClick: () => onVerify(message) },
    { label: 'Wrong answer', onClick: () => actions.onWrong(message) },
  ]
}

const isAnswer = (reply: BotInterpretation | null): reply is BotAnswer => reply?.kind === 'answer'

/** That somebody vouches for it, or did until something changed. */
function VerifiedBadge({ reply }: { reply: BotInterpretation | null }) {
  if (!isAnswer(reply) || !reply.verified) return null
  const { stale } = reply.verified
  return (
    <Tooltip
      label={stale ? 'A column or metric changed since it was verified' : 'This wording is bound to a verified answer'}
      multiline
      maw={260}
    >
      <Badge
        tabIndex={0}
        variant="light"
        color={stale ? 'yellow' : 'teal'}
        leftSection={<IconRosetteDiscountCheck size={13} aria-hidden />}
        style={{ flex: 'none' }}
      >
        {stale ? 'Verification outdated' : 'Verified'}
      </Badge>
    </Tooltip>
  )
}

export function FollowUps(props: {
  items: readonly string[]
  busy: boolean
  label?: string
  onAsk: (question: string) => void
}) {
  const { items, busy, label = 'Follow-up questions', onAsk } = props
  return (
    <div className={classes.chips} role="group" aria-label={label}>
      {items.map((item) => (
        <Button
          key={item}
          size="compact-sm"
          radius="xl"
          variant="light"
          disabled={busy}
          onClick={() => onAsk(item)}
          h="auto"
          mih={26}
          styles={{ label: { whiteSpace: 'normal' } }}
        >
          {item}
        </Button>
      ))}
    </div>
  )
}

/** What was not answered: what could be asked instead. */
export function RefusalCard(props: {
  reply: Extract<BotInterpretation, { kind: 'refuse' }>
  busy: boolean
  onAsk?: ((question: string) => void) | undefined
}) {
  const { reply, busy, onAsk } = props
  return (
    <div className={`surface ${classes.answer}`}>
      <Stack gap="sm">
        <Text>{reply.message}</Text>
        {onAsk && reply.suggestions.length > 0 && (
          <FollowUps items={reply.suggestions} busy={busy} label="Try instead" onAsk={onAsk} />
        )}
      </Stack>
    </div>
  )
}

/** One question back. */
export function ClarifyCard(props: {
  reply: Extract<BotInterpretation, { kind: 'clarify' }>
  busy: boolean
  /** Absent: a copy to read, or it was answered. */
  onChoose?: ((choice: number) => void) | undefined
}) {
  const { reply, busy, onChoose } = props
  return (
    <div className={`surface ${classes.answer}`}>
      <Stack gap="sm">
        <Text>{reply.question}</Text>
        <div className={classes.chips} role="group" aria-label="Choices">
          {reply.choices.map(({ label }, at) => (
            <Button
              key={label}
              size="compact-md"
              variant="default"
              disabled={busy || !onChoose}
              onClick={() => onChoose?.(at)}
              h="auto"
              mih={30}
              styles={{ label: { whiteSpace: 'normal' } }}
            >
              {label}
            </Button>
          ))}
        </div>
      </Stack>
    </div>
  )
}

export const RightsChanged = ({ onAsk, busy }: { busy: boolean; onAsk?: (() => void) | undefined }) => (
  <Alert color="gray" title="Not shown">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">This was answered with other data access.</Text>
      {onAsk && (
        <Button size="compact-sm" variant="default" disabled={busy} onClick={onAsk}>
          Ask again
        </Button>
      )}
    </Stack>
  </Alert>
)
