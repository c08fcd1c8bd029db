import { TagsInput, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { saveTerm } from './queries'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import type { BotTerm } from '../../../src/shared/bot/knowledge'

/** A word of the workspace, new or changed. */
export function TermDialog({ term, onClose }: { term: BotTerm | null; onClose: () => void }) {
  const [word, setWord] = useState(term?.term ?? '')
  const [synonyms, setSynonyms] = useState<string[]>(term?.synonyms ?? [])
  const [means, setMeans] = useState(term?.means ?? '')
  const [definition, setDefinition] = useState(term?.definition ?? '')
  const { measure = null, filters = [] } = term ?? {}
  const save = useMutation({
    mutationFn: () => saveTerm({ term: word, synonyms, means, definition, measure, filters }, term),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={term ? 'Edit term' : 'Add term'}
      submit={term ? 'Save term' : 'Add term'}
      pending={save.isPending}
      disabled={word.trim() === '' || (means.trim() === '' && definition.trim() === '')}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Term"
        placeholder="Top line"
        value={word}
        maxLength={80}
        data-autofocus
        onChange={(event) => setWord(event.currentTarget.value)}
      />
      <TagsInput
        label="Synonyms"
        placeholder="Press Enter after each"
        value={synonyms}
        maxTags={10}
        onChange={setSynonyms}
      />
      <TextInput
        label="Means"
        description="A metric, column or value, or a formula of them"
        placeholder="Revenue"
        value={means}
        maxLength={300}
        onChange={(event) => setMeans(event.currentTarget.value)}
      />
      <Textarea
        label="Definition"
        description="For people"
        autosize
        minRows={2}
        value={definition}
        maxLength={500}
        onChange={(event) => setDefinition(event.currentTarget.value)}
      />
      <FormError error={save.error} />
    </FormDialog>
  )
}
