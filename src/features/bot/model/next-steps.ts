import { foldText } from '../../../shared/bot/fold-text'
import type { BotReading, BotNextStepKind, BotNextStep } from '../../../shared/bot/interpretation'
import type { Encoded } from './parse/encoded'
import type { Vocabulary } from './contract'

/** Where a question leads, and the question that is left when the words that lead there are taken away. */
export interface AskedNextStep {
  way: BotNextStepKind
  /** The figure that is asked about. */
  rest: string
}

const START = '^(?:please )?(?:can you |could you |kan du )?'
const WAYS: readonly { way: BotNextStepKind; pattern: RegExp }[] = [
  {
    way: 'why',
    pattern: new RegExp(
      `${START}(?:why|varfor|how come|what (?:caused|explains|drove|drives|is driving|is behind|accounts for)|what is the reason (?:for|that))(?: (?:did|is|was|are|were|has|have|do|does|the))*`,
    ),
  },
  {
    way: 'alert',
    pattern: new RegExp(
      `${START}(?:alert|notify|warn|tell|email|mail|ping|larma|varna|meddela) (?:me|us|mig|oss) (?:when|if|as soon as|once|nar|om)`,
    ),
  },
  {
    way: 'forecast',
    pattern: new RegExp(
      `${START}(?:(?:show |give |make )?(?:me )?(?:a |the )?(?:forecast|prediction|projection|prognos|prognosen)(?: of| for| for)?|predict|forecast|project|what will|how much will|how many will|prognostisera)(?: (?:the|our|be|we))*`,
    ),
  },
  {
    way: 'target',
    pattern:
      /(?:are we |how are we )?(?:on track|on target|against (?:the |our )?(?:target|goal|plan)|vs\.? (?:the )?(?:target|goal)|(?:hit|reach|meet|met|reached) (?:the |our )?(?:target|goal)|set a (?:target|goal) (?:for|on)|ligger vi till mot malet|mot malet)/,
  },
  {
    way: 'define',
    pattern: new RegExp(
      `${START}(?:define|what does|vad betyder|what is meant by|what is the definition of|what is the meaning of|how is|how are|how do you (?:calculate|define|compute)|explain what)`,
    ),
  },
  {
    way: 'data',
    pattern: new RegExp(
      `${START}(?:what|which|vilka|vilken) (?:data|tables?|datasets?|metrics|sources|figures|tabeller) (?:do (?:you|we|i) have|are there|are available|can i|is there|exist|finns)|${START}what (?:can|could) (?:i|you|we) (?:ask|answer|do)`,
    ),
  },
]

/** Whether a question leads to another part of the product; null where it asks for figures. */
export function askedNextStep(question: string, vocabulary: Vocabulary): AskedNextStep | null {
  const text = foldText(question)
  for (const { way, pattern } of WAYS) {
    const found = pattern.exec(text)
    if (!found) continue
    if (way === 'define' && !isDefinition(text)) continue
    // Where the data hold targets or forecasts of their own, these are asked for.
    if ((way === 'target' || way === 'forecast') && isNamed(found[0], vocabulary)) continue
    const rest = text
      .replace(found[0], ' ')
      .replace(
        /\b(?:mean|means|calculated|defined|computed|next (?:day|week|month|quarter|year)s?|next \d+ (?:days|weeks|months|quarters|years))\b/g,
        ' ',
      )
    return {
      way,
      rest: rest
        .replaceAll(
          /\b(?:drop|dropped|fall|fell|fallen|rise|rose|risen|increase|increased|decrease|decreased|decline|declined|grow|grew|grown|change|changed|go up|went up|go down|went down|so high|so low|lower|higher|down|up|sjonk|okade|minskade|falls|rises|drops)\b/g,
          ' ',
        )
        .trim(),
    }
  }
  return null
}
const isDefinition = (text: string): boolean =>
  !/^(?:how is|how are)/.test(text) || /\b(?:calculated|defined|computed|measured|worked out)\b/.test(text)
function isNamed(words: string, { metrics, datasets }: Vocabulary): boolean {
  const noun = /target|goal|forecast|projection|prediction|budget/.exec(words)?.[0]
  if (noun === undefined) return false
  const names = [
    ...metrics.flatMap(({ name, synonyms }) => [name, ...synonyms]),
    ...datasets.flatMap(({ name, columns }) => [name, ...columns.map(({ label }) => label)]),
  ]
  return names.some((name) => foldText(name).includes(noun))
}

const LABELS: Readonly<Record<BotNextStepKind, string>> = {
  why: 'What accounts for it',
  forecast: 'Forecast',
  alert: 'Alert',
  target: 'Target',
  define: 'Definition',
  data: 'Your data',
}
/** The way on, with the figure it is about and the thing that is named. */
export function nextStep(
  way: BotNextStepKind,
  { reading, encoded, vocabulary }: { reading: BotReading | null; encoded: Encoded; vocabulary: Vocabulary },
): BotNextStep {
  const thing = thingOf(encoded, way, vocabulary)
  const definition = way === 'define' ? definitionOf(thing, vocabulary) : undefined
  const named = reading?.words ?? thing?.name
  return {
    kind: 'way',
    way,
    score: reading?.score ?? (thing || way === 'data' ? 0.9 : 0.6),
    reading,
    thing,
    ...(definition === undefined ? {} : { definition }),
    words: named === undefined ? LABELS[way] : `${LABELS[way]}: ${named}`,
  }
}

function thingOf({ mentions }: Encoded, way: BotNextStepKind, vocabulary: Vocabulary): BotNextStep['thing'] {
  for (const { matches } of mentions)
    for (const { ref } of matches) {
      if (ref.kind === 'thing' && (way === 'define' || ref.thing.kind === way)) return ref.thing
      if (ref.kind === 'metric') {
        const metric = vocabulary.metrics.find(({ id }) => id === ref.id)
        if (metric) return { kind: 'metric', id: metric.id, name: metric.name }
      }
      if (way !== 'define') continue
      if (ref.kind === 'term') return { kind: 'term', id: ref.entry.term, name: ref.entry.term }
      const dataset = vocabulary.datasets.find(({ id }) => 'dataset' in ref && id === ref.dataset)
      if (ref.kind === 'dataset' && dataset) return { kind: 'dataset', id: dataset.id, name: dataset.name }
      const column = ref.kind === 'column' ? dataset?.columns.find(({ key }) => key === ref.column) : undefined
      if (column && dataset) return { kind: 'column', id: `${dataset.id}.${column.key}`, name: column.label }
    }
  return null
}
function definitionOf(thing: BotNextStep['thing'], { metrics, glossary, datasets }: Vocabulary): string | undefined {
  if (thing?.kind === 'term') return glossary.find(({ term }) => term === thing.name)?.definition
  if (thing?.kind === 'metric') return metrics.find(({ id }) => id === thing.id)?.description
  if (thing?.kind !== 'column') return undefined
  const [id] = thing.id.split('.')
  const dataset = datasets.find((each) => each.id === id)
  return dataset && `${thing.name} is a column of ${dataset.name}.`
}
