import { z } from 'zod'
import { toAnswer } from './answers'
import type { McpContext } from './context'
import { defineTool } from './tool'
import { askBot } from '../bot/ask'
import type { AskContext } from '../bot/ask-context'
import { botModelFor } from '../bot/language-model'
import { interpret } from '../../features/bot/model/interpret'
import { refusalOf } from '../../http/errors'
import type { BotInterpretation } from '../../shared/bot/interpretation'
import { createCellFormatter } from '../../shared/figures/cell-formatter'
import { createFormatter } from '../../shared/figures/formatter'

const QUESTION_MAX_CHARS = 1_000
const ROWS_MAX = 100

async function askContextOf(context: McpContext): Promise<AskContext> {
  const { deps, scope, calendar, membership, requestId } = context
  return {
    ...{ deps, scope, calendar, interpret, model: await botModelFor(context) },
    format: createCellFormatter(createFormatter(membership.settings)),
    refusal: (thrown) => refusalOf(thrown, { requestId, path: '/mcp', reporter: deps.reporter }),
  }
}

/** How a question was read: its plan in words, the choices of a question back, or why there is no answer. */
function readingOf(interpretation: BotInterpretation): Record<string, unknown> {
  switch (interpretation.kind) {
    case 'answer': {
      const { words, plan, assumptions, score, verified } = interpretation
      return {
        kind: 'answer',
        read: words,
        plan,
        assumptions,
        score,
        verified: verified !== undefined && !verified.stale,
      }
    }
    case 'clarify':
      return {
        ...{ kind: 'clarify', question: interpretation.question },
        choices: interpretation.choices.map(({ label, words, plan }) => ({ label, read: words, plan })),
      }
    case 'refuse': {
      const { code, message, suggestions, unknown } = interpretation
      return { kind: 'refuse', code, message, suggestions, unknown }
    }
    case 'way': {
      const { way, reading, words, thing } = interpretation
      return { kind: 'way', way, read: words, thing, ...(reading ? { plan: reading.plan } : {}) }
    }
  }
}

export const askTool = defineTool(
  {
    name: 'ask',
    title: 'Ask a question',
    description:
      'A question about the workspace’s figures in words ("revenue by region last quarter"). It is read as a query plan and answered with figures, asked back with choices (run one with run_plan), or refused with a code. Nothing is guessed.',
    scope: 'ask',
    permission: 'view:insight',
    gate: 'aiAssistant',
  },
  z.strictObject({ question: z.string().trim().min(1).max(QUESTION_MAX_CHARS) }),
  async (context, { question }) => {
    const outcome = await askBot(await askContextOf(context), { question })
    const { interpretation, figures, error, drivers, followUps, engine } = outcome
    return {
      ...readingOf(interpretation),
      ...{ engine, followUps },
      ...(figures ? { sentence: figures.sentence, answer: toAnswer(figures.result, ROWS_MAX) } : {}),
      ...(drivers ? { drivers } : {}),
      ...(error ? { error: { code: error.code, message: error.message } } : {}),
    }
  },
)
