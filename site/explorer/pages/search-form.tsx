import { t } from '../messages/messages.ts';

/** The field of the search, and the room for what it finds. A script fills it: app/search.tsx. */
export function SearchForm() {
  return (
    <>
      <search class="needs-script" aria-label={t.search.form}>
        <form id="search-form">
          <label for="search">{t.search.field}</label>
          <input id="search" class="large" type="search" name="q" autocomplete="off" spellcheck={false} />
        </form>
      </search>
      <p id="search-status" class="hint needs-script" role="status" />
      <section id="search-results" aria-label={t.search.results} hidden />
    </>
  );
}
