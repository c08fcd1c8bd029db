import { useEffect, useRef, useState } from 'react'

/** What of the browser's speech recognition is used; no browser's types have all of it. */
interface Recognition {
  lang: string
  interimResults: boolean
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null
  onend: (() => void) | null
  onerror: (() => void) | null
  start(): void
  stop(): void
}
type RecognitionMaker = new () => Recognition

const isMaker = (value: unknown): value is RecognitionMaker => typeof value === 'function'
function recognitionMaker(): RecognitionMaker | null {
  const found: unknown = Reflect.get(window, 'SpeechRecognition') ?? Reflect.get(window, 'webkitSpeechRecognition')
  return isMaker(found) ? found : null
}

/** Speaking instead of typing, where the browser offers it; null elsewhere. */
export function useVoiceInput(onText: (text: string) => void): { listening: boolean; toggle: () => void } | null {
  const [listening, setListening] = useState(false)
  const running = useRef<Recognition | null>(null)
  useEffect(() => () => running.current?.stop(), [])
  const Maker = recognitionMaker()
  if (!Maker) return null
  const start = (): void => {
    const recognition = new Maker()
    recognition.lang = navigator.language
    recognition.interimResults = true
    recognition.onresult = ({ results }) =>
      onText(
        Array.from(results, (result) => result[0]?.transcript ?? '')
          .join(' ')
          .trim(),
      )
    recognition.onend = () => setListening(false)
    recognition.onerror = () => setListening(false)
    running.current = recognition
    recognition.start()
    setListening(true)
  }
  return { listening, toggle: () => (listening ? running.current?.stop() : start()) }
}
