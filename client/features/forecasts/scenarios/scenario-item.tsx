import { MutedText } from '../../../ui/muted-text'
import { MoreMenu } from '../../../ui/buttons/more-menu'
import { Button, Collapse, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { ForecastFormatter } from '../../../../src/shared/forecasts/model-card-text'
import type { ForecastLevel, ForecastResult } from '../../../../src/shared/forecasts/result'
import { resultBreaches, type ScenarioOutcome } from '../../../../src/shared/forecasts/scenarios'
import { describeBreachShort } from '../../../../src/shared/forecasts/summary'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'
import { SCENARIO_STEPS_MAX } from '../../../../src/shared/forecasts/forecasts'
import type { Scenario, ScenarioStep, Threshold } from '../../../../src/shared/forecasts/forecasts'
import classes from './scenarios.module.css'
import type { ScenarioEdit } from './scenario-draft'
import { newScenarioId, spanOf } from './scenario-templates'
import { StepEditor, describeIneffectiveStep } from './step-editor'
import { useForecastFormatter } from '../forecast-format'

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

interface PathComparison {
  /** Over the horizon: all of it where figures add up, else on average. */
  figure: string
  /** Against the baseline; null of the baseline. */
  against: string | null
  /** Where the balance ends. */
  balance: string | null
}

/** The horizon of a path, against the base. */
function comparePath(
  result: Pick<ForecastResult, 'total' | 'future' | 'additive' | 'balance' | 'parts' | 'format'>,
  applied: Pick<ScenarioOutcome, 'total' | 'balance'> | null,
  words: ForecastFormatter,
): PathComparison {
  const additive = result.additive ?? (result.balance !== null || result.parts.length > 0)
  const by = additive ? 1 : Math.max(1, result.future.length)
  const base = sumOf(result.total.path.mean) / by
  const is = applied ? sumOf(applied.total.mean) / by : base
  const last = (applied ? applied.balance : result.balance)?.path.mean.at(-1)
  return {
    figure: `${words.rounded(is)} ${additive ? 'in total' : 'on average'}`,
    against: applied ? differenceLabel({ is, base, isPercent: result.format.style === 'percent' }, words) : null,
    balance: last === undefined ? null : `Closing balance ${words.rounded(last)}`,
  }
}

function differenceLabel(
  { is, base, isPercent }: { is: number; base: number; isPercent: boolean },
  words: ForecastFormatter,
): string {
  if (is === base) return 'same as baseline'
  const side = is > base ? 'above' : 'below'
  const size = Math.abs(is - base)
  if (isPercent) return `${words.points(size)} ${side} baseline`
  const part = base > 0 ? ` (${words.share(size / base)})` : ''
  return `${words.rounded(size)}${part} ${side} baseline`
}

interface ScenarioComparisonProps {
  result: ForecastResult
  level: ForecastLevel
  thresholds: readonly Threshold[]
}

/** What a path comes to, and when it breaks which level. */
export function PathSummary({
  result,
  level,
  thresholds,
  applied,
}: ScenarioComparisonProps & { applied: ScenarioOutcome | null }) {
  const words = useForecastFormatter(result)
  const { figure, against, balance } = comparePath(result, applied, words)
  const broken = useMemo(() => resultBreaches(result, thresholds, applied ?? undefined), [result, thresholds, applied])
  return (
    <>
      <Text size="sm">
        {figure}
        {against !== null && <>, {against}</>}
        {balance !== null && <>. {balance}</>}
      </Text>
      {broken.map((breach) => (
        <Text
          key={`${breach.threshold.name} ${breach.threshold.value} ${breach.threshold.side}`}
          size="sm"
          c={breach.now || breach.middle !== null ? 'red' : 'dimmed'}
        >
          {breach.threshold.name}: {describeBreachShort(breach, level, words)}
        </Text>
      ))}
    </>
  )
}

export interface ScenarioItemProps extends ScenarioComparisonProps {
  scenario: Scenario
  applied: ScenarioOutcome
  /** Its colour in the chart; null while it is not drawn. */
  colour: string | null
  /** One more can be drawn. */
  hasRoom: boolean
  onShow: (shown: boolean) => void
  isOpen: boolean
  onOpen: (open: boolean) => void
  edit: (edit: ScenarioEdit, merge?: string) => void
  onSettle: () => void
  run: { isSaved: boolean; underWay: boolean }
}

/** One scenario: whether it is drawn, what it comes to, and its steps. */
export function ScenarioItem(props: ScenarioItemProps) {
  const { scenario, applied, colour, hasRoom, onShow, isOpen, onOpen } = props
  const name = scenario.name.trim() === '' ? 'Unnamed scenario' : scenario.name
  return (
    <li className={classes.scenario} aria-label={name}>
      <div className={classes.row}>
        <Switch
          size="sm"
          mt={2}
          aria-label={`Show ${name} in the chart`}
          checked={colour !== null}
          disabled={colour === null && !hasRoom}
          onChange={(event) => onShow(event.currentTarget.checked)}
        />
        <div className={classes.told}>
          <Text fw={600} size="sm">
            {colour !== null && <span className={classes.swatch} style={{ borderTopColor: colour }} aria-hidden />}
            {name}
          </Text>
          <PathSummary {...props} applied={applied} />
        </div>
        <Group gap={4} wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Close' : 'Edit'} ${name}`}
            rightSection={isOpen ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
            onClick={() => onOpen(!isOpen)}
          >
            {isOpen ? 'Close' : 'Edit'}
          </Button>
          <ScenarioMenu {...props} name={name} />
        </Group>
      </div>
      <Collapse expanded={isOpen}>{isOpen && <ScenarioSteps {...props} name={name} />}</Collapse>
    </li>
  )
}

type NamedScenarioProps = ScenarioItemProps & { name: string }

function ScenarioMenu({ scenario, edit, name }: NamedScenarioProps) {
  return (
    <MoreMenu
      label={`More actions for ${name}`}
      items={[
        {
          label: 'Duplicate scenario',
          onClick: () => edit({ kind: 'duplicate', id: scenario.id, as: newScenarioId() }),
        },
        { label: 'Remove scenario', color: 'red', onClick: () => edit({ kind: 'remove', id: scenario.id }) },
      ]}
    />
  )
}

function ScenarioSteps({ scenario, applied, result, edit, onSettle, run, name }: NamedScenarioProps) {
  const { id, steps } = scenario
  const why = new Map(applied.idle.map((one) => [one.step, one.why]))
  const add = (): void => edit({ kind: 'addStep', id, step: firstStep(result) })
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        maw={320}
        maxLength={NAME_MAX_CHARS}
        value={scenario.name}
        error={scenario.name.trim() === '' ? 'Enter a name' : undefined}
        onChange={(event) => edit({ kind: 'rename', id, name: event.currentTarget.value }, `name ${id}`)}
        onBlur={onSettle}
      />
      {steps.length > 0 && (
        <ol className={classes.list} aria-label={`Steps of ${name}`}>
          {steps.map((step, at) => {
            const idle = why.get(at)
            return (
              <StepEditor
                key={at}
                {...{ step, result, onSettle }}
                label={`Step ${at + 1} of ${name}`}
                without={idle === undefined ? null : describeIneffectiveStep(idle, run)}
                onChange={(next, field) =>
                  edit(
                    { kind: 'changeStep', id, at, step: next },
                    field === undefined ? undefined : `${field} ${id} ${at}`,
                  )
                }
                onRemove={() => edit({ kind: 'removeStep', id, at })}
              />
            )
          })}
        </ol>
      )}
      {steps.length === 0 && <MutedText>No steps yet</MutedText>}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={steps.length >= SCENARIO_STEPS_MAX}
          onClick={add}
        >
          Add step
        </Button>
      </Group>
    </Stack>
  )
}

const firstStep = (result: ForecastResult): ScenarioStep => ({
  ...{ kind: 'percent', by: 0.1 },
  ...spanOf(result, 0, result.future.length - 1),
})
