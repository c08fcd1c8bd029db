import type { Briefing, SummaryPart } from '../../../shared/briefing/briefing'

/** Stories whose sentences the paragraph holds. */
const STORIES_TOLD = 2

export interface SummaryInput extends Pick<Briefing, 'basis' | 'alerts' | 'sources' | 'forecasts' | 'since'> {
  /** Stories that are new, of how many in all. */
  fresh: number
  shown: number
}

const countOf = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** One paragraph by templates; figures stay in the stories' own sentences. Empty: there is nothing to sum up. */
export function summarise({ basis, fresh, shown, since, alerts, sources, forecasts }: SummaryInput): SummaryPart[] {
  const parts: SummaryPart[] = []
  const say = (text: string): void => void parts.push({ text })
  if (fresh > 0) {
    say(
      since === null
        ? `${countOf(fresh, 'finding')} in your data.`
        : `${countOf(fresh, 'new finding')} since your last visit.`,
    )
    for (let story = 0; story < Math.min(STORIES_TOLD, fresh, shown); story += 1) parts.push({ story })
  } else if (basis === 'tested') say(since === null ? 'No findings.' : 'No changes since your last visit.')
  else if (basis === 'tooLittle') say('Too little history to judge.')
  const [forecast] = forecasts
  if (forecast)
    say(
      forecasts.length === 1
        ? `${forecast.name} left its ${forecast.level} % forecast interval.`
        : `${countOf(forecasts.length, 'forecast')} left their intervals.`,
    )
  const open = alerts.filter(({ acknowledged }) => !acknowledged).length
  if (open > 0) say(`${countOf(open, 'alert')} open.`)
  const failed = sources.filter(({ problem }) => problem === 'failed')
  const stale = sources.length - failed.length
  if (failed.length > 0)
    say(failed.length === 1 ? `Import failed: ${failed[0]?.name ?? ''}.` : `${failed.length} imports failed.`)
  if (stale > 0) say(`${countOf(stale, 'source')} not updated for over a month.`)
  return parts
}
