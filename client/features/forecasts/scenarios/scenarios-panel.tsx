import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { applyScenario, type ScenarioOutcome } from '../../../../src/shared/forecasts/scenarios'
import { PATHS_COMPARED_MAX, SCENARIOS_MAX, type Scenario } from '../../../../src/shared/forecasts/forecasts'
import { TERMS } from '../../../../src/shared/terms'
import { metricsQuery } from '../../../lib/query-builder/catalogue'
import { SectionCard } from '../../../ui/section-card'
import classes from './scenarios.module.css'
import { CashBalanceButton } from './cash-balance'
import { DraftBar, DraftNotices, undoKeyHandler, useScenarioDraft, type ScenarioWork } from './draft-bar'
import type { ScenariosPanelProps } from '../view/forecast-chart-model'
import { ThresholdsList } from './thresholds-list'
import { PathSummary, ScenarioItem } from './scenario-item'
import { scenarioFromTemplate, scenarioTemplates } from './scenario-templates'

/** Drawn beside the base. */
const SCENARIOS_DRAWN_MAX = PATHS_COMPARED_MAX - 1
/** Of scenarios in the chart, in their order; see `coloursOfPicture`. */
const SCENARIO_COLOURS = ['var(--chart-2)', 'var(--chart-3)', 'var(--chart-5)']

/** Scenarios beside the baseline, live, and when each passes which threshold. */
export function ScenariosPanel({ forecast, result, onDraw }: ScenariosPanelProps) {
  const work = useScenarioDraft(forecast)
  const { draft, act, edit } = work
  const { scenarios, thresholds } = draft.present
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set<string>())
  const [openId, setOpenId] = useState<string | null>(null)
  const shown = useMemo(
    () => scenarios.filter(({ id }) => !hidden.has(id)).slice(0, SCENARIOS_DRAWN_MAX),
    [scenarios, hidden],
  )
  const applied = useScenarioOutcomes(result, scenarios)
  useChartOverlays({ ...{ result, shown, thresholds, onDraw } })
  const show = (id: string, isShown: boolean): void => setHidden(hiddenAfterToggle({ scenarios, shown }, id, isShown))
  const add = (one: Scenario): void => {
    edit({ kind: 'add', scenario: one })
    setOpenId(one.id)
  }
  const onFloor = (value: number): void =>
    edit({ kind: 'addThreshold', threshold: { name: TERMS.minimumCash, side: 'below', value } })
  const onSettle = (): void => act({ do: 'settle' })
  return (
    <div onKeyDown={undoKeyHandler(act)}>
      <SectionCard title={TERMS.scenarios} description="Test decisions against the baseline.">
        <div className={classes.bar}>
          <Group gap="xs">
            <NewScenario {...{ forecast, result, add }} isFull={scenarios.length >= SCENARIOS_MAX} />
            {work.mayKeep && <CashBalanceButton {...{ forecast, result, onFloor }} />}
          </Group>
          <DraftBar work={work} />
        </div>
        <DraftNotices work={work} />
        {(scenarios.length > 0 || thresholds.length > 0) && (
          <ul className={classes.list} aria-label={TERMS.scenarios}>
            <li className={classes.scenario} aria-label={TERMS.baseline}>
              <div>
                <Text fw={600} size="sm">
                  {TERMS.baseline}
                </Text>
                <PathSummary {...{ result, thresholds }} level={forecast.level} applied={null} />
              </div>
            </li>
            {scenarios.map((scenario) => {
              const place = shown.indexOf(scenario)
              return (
                <ScenarioItem
                  key={scenario.id}
                  {...{ scenario, result, thresholds, edit, onSettle }}
                  level={forecast.level}
                  applied={applied.get(scenario) ?? applyScenario(result, scenario)}
                  colour={SCENARIO_COLOURS[place] ?? null}
                  hasRoom={shown.length < SCENARIOS_DRAWN_MAX}
                  onShow={(isShown) => show(scenario.id, isShown)}
                  isOpen={openId === scenario.id}
                  onOpen={(open) => setOpenId(open ? scenario.id : null)}
                  run={stepRunState(work, forecast, scenario)}
                />
              )
            })}
          </ul>
        )}
        {scenarios.length > SCENARIOS_DRAWN_MAX && (
          <Text size="xs" c="dimmed">
            The chart shows up to {SCENARIOS_DRAWN_MAX} scenarios.
          </Text>
        )}
        <ThresholdsList {...{ thresholds, result, edit, onSettle }} level={forecast.level} />
      </SectionCard>
    </div>
  )
}

/** Every scenario over the same result; what has not changed is not computed anew. */
function useScenarioOutcomes(
  result: ScenariosPanelProps['result'],
  scenarios: readonly Scenario[],
): Map<Scenario, ScenarioOutcome> {
  const [known] = useState(() => new WeakMap<object, WeakMap<Scenario, ScenarioOutcome>>())
  return useMemo(() => {
    const of = known.get(result) ?? new WeakMap<Scenario, ScenarioOutcome>()
    known.set(result, of)
    return new Map(
      scenarios.map((scenario) => {
        const applied = of.get(scenario) ?? applyScenario(result, scenario)
        of.set(scenario, applied)
        return [scenario, applied]
      }),
    )
  }, [known, result, scenarios])
}

interface OverlayInput {
  result: ScenariosPanelProps['result']
  shown: readonly Scenario[]
  thresholds: ScenarioWork['draft']['present']['thresholds']
  onDraw: ScenariosPanelProps['onDraw']
}
/** The chart follows, a moment later if it must: typing does not wait for it. */
function useChartOverlays({ result, shown, thresholds, onDraw }: OverlayInput): void {
  const drawn = useMemo(() => {
    const told = shown.filter(({ name }) => name.trim() !== '')
    const lines = told.map((one) => ({ name: one.name, applied: applyScenario(result, one) }))
    return { scenarios: lines, summaryScenarios: told, thresholds: thresholds.filter(({ name }) => name.trim() !== '') }
  }, [result, shown, thresholds])
  const later = useDeferredValue(drawn)
  useEffect(() => onDraw(later), [later, onDraw])
}

/** Those that are not drawn, after one is or is not. */
function hiddenAfterToggle(
  { scenarios, shown }: { scenarios: readonly Scenario[]; shown: readonly Scenario[] },
  id: string,
  isShown: boolean,
): ReadonlySet<string> {
  const kept = new Set(shown.map((one) => one.id))
  if (isShown) kept.add(id)
  else kept.delete(id)
  return new Set(scenarios.flatMap((one) => (kept.has(one.id) ? [] : [one.id])))
}

const driverMetricsIn = (all: readonly Scenario[]): Set<string> =>
  new Set(all.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'driver' ? [step.metric] : []))))
/** Whether the server knows of the metrics that it follows, and a run is on its way. */
const stepRunState = ({ draft }: ScenarioWork, { state }: ScenariosPanelProps['forecast'], scenario: Scenario) => {
  const saved = driverMetricsIn(draft.base.content.scenarios)
  return {
    isSaved: [...driverMetricsIn([scenario])].every((metric) => saved.has(metric)),
    underWay: state === 'queued' || state === 'running',
  }
}

interface NewScenarioProps extends Pick<ScenariosPanelProps, 'forecast' | 'result'> {
  add: (scenario: Scenario) => void
  isFull: boolean
}
function NewScenario({ forecast, result, add, isFull }: NewScenarioProps) {
  const metrics = useQuery(metricsQuery())
  const first = metrics.data?.find(({ id }) => id !== forecast.subject.id)
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={isFull} variant="default">
          Add scenario
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {scenarioTemplates(result, first ?? null).map((template) => (
          <Menu.Item key={template.key} onClick={() => add(scenarioFromTemplate(template))}>
            <Stack gap={0}>
              <Text size="sm">{template.name}</Text>
              <Text size="xs" c="dimmed">
                {template.says}
              </Text>
            </Stack>
          </Menu.Item>
        ))}
        {metrics.data && !first && <Menu.Label>Create another metric to use it as a driver.</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
