import { TagsInput, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useForm } from '@mantine/form'
import { useFormDraft } from '../../lib/writes/kept-draft'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { saveTerm } from './queries'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import type { BotTerm } from '../../../src/shared/bot/knowledge'

/** A word of the workspace, new or changed. */
export function TermDialog({ term, onClose }: { term: BotTerm | null; onClose: () => void }) {
  const initialValues = {
    ...{ word: term?.term ?? '', synonyms: [...(term?.synonyms ?? [])] },
    ...{ means: term?.means ?? '', definition: term?.definition ?? '' },
  }
  const form = useForm({ initialValues })
  const draft = useFormDraft(form, { name: `term:${term?.id ?? 'new'}`, base: term && String(term.version) })
  const { measure = null, filters = [] } = term ?? {}
  const { word, means, definition } = form.values
  const save = useMutation({
    mutationFn: () => {
      const { synonyms } = form.values
      return saveTerm({ term: word, synonyms, means, definition, measure, filters }, term)
    },
    onSuccess: () => {
      draft.clear()
      onClose()
    },
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
      <DraftNotice draft={draft} />
      <TextInput label="Term" placeholder="Top line" maxLength={80} data-autofocus {...form.getInputProps('word')} />
      <TagsInput
        label="Synonyms"
        placeholder="Press Enter after each"
        maxTags={10}
        {...form.getInputProps('synonyms')}
      />
      <TextInput
        label="Means"
        description="A metric, column or value, or a formula of them"
        placeholder="Revenue"
        maxLength={300}
        {...form.getInputProps('means')}
      />
      <Textarea
        label="Definition"
        description="For people"
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps('definition')}
      />
      <FormError error={save.error} />
    </FormDialog>
  )
}
