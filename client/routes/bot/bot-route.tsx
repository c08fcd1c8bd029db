import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBell, IconChartBar, IconReportAnalytics, IconTrendingUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { BotReading } from '../../../src/shared/bot/interpretation'
import type { Insight } from '../../../src/shared/insights'
import { timeFieldOf } from '../../../src/shared/monitored-metric'
import { AlertDialog } from '../../features/alerts/alert-dialog'
import { BotScreen } from '../../features/bot/bot-screen'
import type { BotSlots } from '../../features/bot/bot-slots'
import { DriversCard } from '../../features/findings/drivers-card'
import { createInsight } from '../../features/insights/queries'
import { CalculationDetails } from '../../features/insights/view/calculation-details'
import { RecordsDrawer } from '../../features/insights/view/records-drawer'
import { ResultFreshness, ResultView } from '../../features/insights/view/result-view'
import { AddToReport } from '../../features/reports/editor/add-to-report'
import { SampleOffer } from '../../features/sample/sample-company'
import { useCellFormatter } from '../../lib/cell-formatter'
import { useMayWrite } from '../../lib/gate'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'

const route = getRouteApi('/app/insight-bot')

/** What an answer becomes once it is an insight. */
type Next = 'insight' | 'report' | 'forecast' | 'alert'
const NEXT_TITLES: Record<Next, string> = {
  insight: 'Save as insight',
  report: 'Add to report',
  forecast: 'Forecast it',
  alert: 'Alert me',
}

export function BotRoute() {
  const { conversation, q } = route.useSearch()
  const navigate = useNavigate()
  const format = useCellFormatter()
  const [saving, setSaving] = useState<{ reading: BotReading; next: Next } | null>(null)
  const [made, setMade] = useState<{ insight: Insight; next: Next } | null>(null)
  const maySave = useMayWrite('create:insight')
  const mayReport = useMayWrite('edit:report')
  const mayForecast = useMayWrite('edit:forecast')
  const mayAlert = useMayWrite('edit:alert')
  const open = (id: string | undefined): void =>
    void navigate({ to: '/insight-bot', search: id === undefined ? {} : { conversation: id } })
  const onSaved = (insight: Insight, next: Next): void => {
    setSaving(null)
    if (next === 'forecast') void navigate({ to: '/forecasts/new', search: { insight: insight.id } })
    else setMade({ insight, next })
    if (next === 'insight') notifications.show({ message: `Insight saved: ${insight.name}` })
  }
  const menuItems = (reading: BotReading): ReturnType<BotSlots['menuItems']> => {
    const { plan } = reading
    const item = (next: Next, icon: typeof IconBell) => ({
      ...{ label: NEXT_TITLES[next], icon, onClick: () => setSaving({ reading, next }) },
    })
    const isFigure = plan.kind === 'aggregate' && plan.measures.length > 0 && timeFieldOf(plan) !== null
    return [
      maySave && item('insight', IconChartBar),
      maySave && mayReport && item('report', IconReportAnalytics),
      maySave && mayForecast && isFigure && item('forecast', IconTrendingUp),
      maySave && mayAlert && isFigure && item('alert', IconBell),
    ]
  }
  return (
    <>
      <BotScreen
        conversationId={conversation}
        question={q}
        onOpen={open}
        renderResult={({ reading, result, title, asTable }) => (
          <ResultView
            plan={reading.plan}
            result={result}
            viz={reading.viz}
            format={format}
            title={title}
            asTable={asTable}
            height={280}
          />
        )}
        renderDrivers={(parts) => <DriversCard insight={parts} />}
        renderFreshness={(result) => <ResultFreshness result={result} figures={{ outdated: false }} />}
        renderDetails={(parts) => <CalculationDetails {...parts} />}
        renderRecords={(parts) => <RecordsDrawer {...parts} />}
        menuItems={menuItems}
        sampleOffer={<SampleOffer />}
      />
      {saving && <SaveDialog {...saving} onSaved={onSaved} onClose={() => setSaving(null)} />}
      {made?.next === 'report' && <AddToReport insight={made.insight} onClose={() => setMade(null)} />}
      {made?.next === 'alert' && <AlertDialog alert={null} insight={made.insight} onClose={() => setMade(null)} />}
    </>
  )
}

interface SaveDialogProps {
  reading: BotReading
  next: Next
  onSaved: (insight: Insight, next: Next) => void
  onClose: () => void
}

const NAME_MAX = 80

/** An answer becomes an insight: reports, forecasts and alerts are made of insights. */
function SaveDialog({ reading, next, onSaved, onClose }: SaveDialogProps) {
  const [name, setName] = useState(reading.words.slice(0, NAME_MAX))
  const { plan, viz } = reading
  const save = useMutation({
    mutationFn: () => createInsight({ name: name.trim(), description: '', plan, viz }),
    onSuccess: (insight) => onSaved(insight, next),
  })
  return (
    <FormDialog
      title={NEXT_TITLES[next]}
      submit={next === 'insight' ? 'Save insight' : 'Save and continue'}
      pending={save.isPending}
      disabled={name.trim() === ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Insight name"
        {...(next === 'insight' ? {} : { description: 'The answer is saved as an insight first' })}
        value={name}
        maxLength={NAME_MAX}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormError error={save.error} />
    </FormDialog>
  )
}
