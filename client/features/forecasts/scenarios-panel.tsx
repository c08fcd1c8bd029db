import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { applyScenario } from '../../../src/shared/forecast-scenarios'
import type { Applied } from '../../../src/shared/forecast-scenarios'
import { COMPARED_MAX, SCENARIOS_MAX } from '../../../src/shared/forecasts'
import type { Scenario } from '../../../src/shared/forecasts'
import { metricsQuery } from '../../lib/filters/catalogue'
import { SectionCard } from '../../ui/section-card'
import classes from './ahead.module.css'
import { CashView } from './cash-view'
import { DraftBar, DraftNotices } from './draft-bar'
import type { AheadProps } from './forecast-slots'
import { LevelsList } from './levels-list'
import { PathWords, ScenarioItem } from './scenario-item'
import { scenarioFrom, templatesOf } from './scenario-templates'
import { undoInFields, useScenarioDraft } from './use-scenario-draft'
import type { Work } from './use-scenario-draft'

/** Drawn beside the base. */
const BESIDE_MAX = COMPARED_MAX - 1
/** Of scenarios in the chart, in their order; see `coloursOfPicture`. */
const COLOURS = ['var(--chart-2)', 'var(--chart-3)', 'var(--chart-5)']

/** What could be done: scenarios beside the forecast, live, and when each breaks which level that matters. */
export function ScenariosPanel({ forecast, result, onDraw }: AheadProps) {
  const work = useScenarioDraft(forecast)
  const { draft, act, edit } = work
  const { scenarios, thresholds } = draft.present
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set<string>())
  const [openId, setOpenId] = useState<string | null>(null)
  const shown = useMemo(() => scenarios.filter(({ id }) => !hidden.has(id)).slice(0, BESIDE_MAX), [scenarios, hidden])
  const applied = useApplied(result, scenarios)
  useDrawn({ ...{ result, shown, thresholds, onDraw } })
  const show = (id: string, isShown: boolean): void => setHidden(shownAs({ scenarios, shown }, id, isShown))
  const add = (one: Scenario): void => {
    edit({ kind: 'add', scenario: one })
    setOpenId(one.id)
  }
  const onFloor = (value: number): void =>
    edit({ kind: 'addThreshold', threshold: { name: 'Cash floor', side: 'below', value } })
  const onSettle = (): void => act({ do: 'settle' })
  return (
    <div onKeyDown={undoInFields(act)}>
      <SectionCard
        title="What could be done"
        description="Try a decision beside the forecast. The chart and the words follow at once."
      >
        <div className={classes.bar}>
          <Group gap="xs">
            <NewScenario {...{ forecast, result, add }} isFull={scenarios.length >= SCENARIOS_MAX} />
            {work.mayKeep && <CashView {...{ forecast, result, onFloor }} />}
          </Group>
          <DraftBar work={work} />
        </div>
        <DraftNotices work={work} />
        {(scenarios.length > 0 || thresholds.length > 0) && (
          <ul className={classes.list} aria-label="Scenarios">
            <li className={classes.scenario} aria-label="The forecast as it is">
              <div>
                <Text fw={600} size="sm">
                  The forecast as it is
                </Text>
                <PathWords {...{ result, thresholds }} level={forecast.level} applied={null} />
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
                  colour={COLOURS[place] ?? null}
                  hasRoom={shown.length < BESIDE_MAX}
                  onShow={(isShown) => show(scenario.id, isShown)}
                  isOpen={openId === scenario.id}
                  onOpen={(open) => setOpenId(open ? scenario.id : null)}
                  run={runOf(work, forecast, scenario)}
                />
              )
            })}
          </ul>
        )}
        {scenarios.length > BESIDE_MAX && (
          <Text size="xs" c="dimmed">
            Up to {BESIDE_MAX} scenarios are drawn beside the forecast.
          </Text>
        )}
        <LevelsList {...{ thresholds, result, edit, onSettle }} level={forecast.level} />
      </SectionCard>
    </div>
  )
}

/** Every scenario over the same result; what has not changed is not computed anew. */
function useApplied(result: AheadProps['result'], scenarios: readonly Scenario[]): Map<Scenario, Applied> {
  const [known] = useState(() => new WeakMap<object, WeakMap<Scenario, Applied>>())
  return useMemo(() => {
    const of = known.get(result) ?? new WeakMap<Scenario, Applied>()
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

interface Drawing {
  result: AheadProps['result']
  shown: readonly Scenario[]
  thresholds: Work['draft']['present']['thresholds']
  onDraw: AheadProps['onDraw']
}
/** The chart follows, a moment later if it must: typing does not wait for it. */
function useDrawn({ result, shown, thresholds, onDraw }: Drawing): void {
  const drawn = useMemo(() => {
    const told = shown.filter(({ name }) => name.trim() !== '')
    const lines = told.map((one) => ({ name: one.name, applied: applyScenario(result, one) }))
    return { scenarios: lines, told, thresholds: thresholds.filter(({ name }) => name.trim() !== '') }
  }, [result, shown, thresholds])
  const later = useDeferredValue(drawn)
  useEffect(() => onDraw(later), [later, onDraw])
}

/** Those that are not drawn, after one is or is not. */
function shownAs(
  { scenarios, shown }: { scenarios: readonly Scenario[]; shown: readonly Scenario[] },
  id: string,
  isShown: boolean,
): ReadonlySet<string> {
  const kept = new Set(shown.map((one) => one.id))
  if (isShown) kept.add(id)
  else kept.delete(id)
  return new Set(scenarios.flatMap((one) => (kept.has(one.id) ? [] : [one.id])))
}

const driversIn = (all: readonly Scenario[]): Set<string> =>
  new Set(all.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'driver' ? [step.metric] : []))))
/** Whether the server knows of the metrics that it follows, and a run is on its way. */
const runOf = ({ draft }: Work, { state }: AheadProps['forecast'], scenario: Scenario) => {
  const saved = driversIn(draft.base.content.scenarios)
  return {
    isSaved: [...driversIn([scenario])].every((metric) => saved.has(metric)),
    underWay: state === 'queued' || state === 'running',
  }
}

interface NewScenarioProps extends Pick<AheadProps, 'forecast' | 'result'> {
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
          Add a scenario
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {templatesOf(result, first ?? null).map((template) => (
          <Menu.Item key={template.key} onClick={() => add(scenarioFrom(template))}>
            <Stack gap={0}>
              <Text size="sm">{template.name}</Text>
              <Text size="xs" c="dimmed">
                {template.says}
              </Text>
            </Stack>
          </Menu.Item>
        ))}
        {metrics.data && !first && <Menu.Label>Make another metric to let it drive a scenario.</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
