/** The Spanish texts of the scripts of the SQL, API and check pages. */
import type { Tools } from './en-tools.ts';
import { formatCount } from './numbers.ts';

export const tools: Tools = {
  api: {
    described: service =>
      `Todas las rutas y parámetros de la API de ${service}, con una petición de cada ruta.`,
    lead: 'Los programas piden datos por su dirección. También se puede abrir en un navegador cada dirección de esta página.',
    version: (version, routes) =>
      `Versión ${version}, ${routes}. Para programas: {openapi} (OpenAPI 3.1), {files}.`,
    allFiles: 'todos los archivos',
    howItWorks: 'Cómo funciona',
    steps: () => [
      'Elija abajo un conjunto de datos. Su primera ruta devuelve filas: `year` y `detail` eligen el año y el nivel, y los demás parámetros filtran las filas.',
      'Los valores separados por comas coinciden con cualquiera de ellos. Una fila debe cumplir todos los parámetros. Ningún valor coincide con una fila cuya columna es NULL: para obtener también esas filas, hay que omitir el parámetro.',
      `\`format\` es \`json\`, \`csv\` o \`parquet\`. Una respuesta en JSON tiene como máximo ${formatCount(10_000)} filas, y su \`next\` es la dirección de las filas siguientes.`,
      'NULL nunca es cero: cada columna dice qué significa su NULL. Los códigos son texto: conserve los ceros iniciales.',
    ],
    errors: 'Errores',
    noParameters: 'Esta ruta no tiene parámetros.',
    example: 'Ejemplo: {request}',
    parametersOf: path => `Parámetros de ${path}`,
    parameter: 'Parámetro',
    effect: 'Qué hace',
    required: 'obligatorio',
    any: type => type,
    anySeveral: type => `${type}, o varios`,
    oneOf: 'uno de {values}',
    oneOfSeveral: 'uno de {values}, o varios',
    default: 'por defecto {value}',
    requestOf: path => `Petición de ${path}`,
    open: 'Abrir la dirección',
  },
  sql: {
    described: service =>
      `SQL sobre todos los conjuntos de datos de ${service}, calculado en su propio navegador.`,
    lead: size =>
      `Haga cualquier pregunta a los datos publicados. Su navegador calcula la respuesta: descarga las tablas que la pregunta nombra, cada una una sola vez, y no envía nada. La primera consulta carga también la base de datos, ${size}; el navegador la conserva.`,
    withoutScript:
      'La consola necesita JavaScript. Sin él, cargue {file} en su propio DuckDB para consultar las mismas tablas.',
    tables: 'Tablas',
    advice:
      'Escriba SQL de {duckdb}. Cada conjunto de datos es una tabla; su columna `detail` nombra el nivel de una fila. Una tabla demasiado grande para un navegador se puede consultar en su propio DuckDB con {file}. Muchas filas son totales de otras filas, así que sume solo filas que no se solapen.',
    dimensions: 'Dimensiones',
    level: 'Nivel de detalle',
    columnOf: dimension => `de ${dimension}`,
    meaning: 'Qué significan sus columnas y sus NULL',
    columnsOf: table => `Columnas de ${table}`,
    type: 'Tipo',
    about: 'Qué es',
    statement: 'Consulta SQL',
    run: 'Ejecutar',
    hint: '{keys} también ejecuta la consulta.',
    failed: 'La consulta falló.',
    cancelled: 'Consulta cancelada.',
    seconds: (rows, seconds) => `${rows}. ${seconds} s.`,
    firstRows: (rows, seconds) =>
      `Solo las primeras ${rows}; hay más. Añada un LIMIT o agrupe las filas. ${seconds} s.`,
    ask: 'Preguntar esto',
    askExample: description => `Preguntar esto: ${description}`,
    readRows: 'Las primeras filas de la respuesta, todas las que leyó esta página.',
    allRows: 'Todas las filas de la respuesta, con todas sus columnas.',
  },
  check: {
    described:
      'Comprobar que los archivos son los que se publicaron y que ninguna publicación se reescribió.',
    lead: 'Cada archivo tiene aquí un hash publicado, y cada hash está en una lista que tiene su propio hash. Por eso una cifra cambiada se nota.',
    here: 'En este navegador',
    withoutScript: 'Esta parte necesita JavaScript. La siguiente, no.',
    elsewhere: 'En su propia computadora',
    mirror:
      'Copie los archivos, como hace {file}, y compare sus hashes. Todos los sistemas tienen un programa para eso:',
    hashes: 'Comprobar los hashes',
    program:
      'El programa que hizo este sitio comprueba más: que todos los formatos de una tabla tienen las mismas filas, que el registro está firmado y, frente a otra copia, que ninguna publicación se reescribió.',
    tree: 'Comprobar una copia completa',
    limits: 'Qué no demuestra esto',
    limitsOf: [
      'Que las cifras sean ciertas. Demuestra que son las publicadas.',
      'Que esta página sea honesta: viene del mismo servidor que las cifras. Quien puede cambiar las cifras puede cambiar la página. Una copia en su propia computadora y una clave de otro lugar no dependen de él.',
      'Que otras personas vean el mismo registro que usted. Compárelo con un testigo o con una copia anterior.',
    ],
    datasets: 'Conjuntos de datos',
    key: 'Clave pública (opcional)',
    check: 'Comprobar',
    sound: 'Correcto',
    wrong: 'Incorrecto',
    unknown: 'Sin comprobar',
    readingManifest: 'Leyendo el manifiesto.',
    readingFile: (at, files, done, all) => `Leyendo el archivo ${at} de ${files}: ${done} de ${all}.`,
    readingLog: 'Leyendo el registro de publicaciones.',
    cancelled: 'Cancelado. La comprobación no está completa.',
    incomplete: why => `${why} La comprobación no está completa.`,
    isWrong: 'Algo está mal. No use estas cifras antes de saber qué es.',
    isPartly: 'Lo que se comprobó es correcto. No se pudo comprobar todo.',
    isSound: 'Todo es correcto: estos son los archivos que firmó quien los publica.',
    missing: file => `Falta ${file}.`,
    notJson: file => `${file} está dañado: no es JSON.`,
    noSums: (sums, file) => `Falta ${sums}, así que nada dice qué hash tiene ${file}.`,
    hasHash: (file, release, sums, hash) =>
      `${file} de la publicación ${release} tiene el hash que indica ${sums}: ${hash}.`,
    otherHash: (file, sums, hash) => `${file} tiene el hash ${hash}, y ${sums} indica otro.`,
    noDataset: (file, dataset) => `${file} no contiene el conjunto de datos ${dataset}.`,
    notListed: (file, list) => `${file} no es el archivo que indica ${list}.`,
    datasetListed: (dataset, list) => `El manifiesto de ${dataset} tiene el hash que indica ${list}.`,
    filesSound: (files, size) =>
      `Todos los archivos del conjunto de datos (${files}, ${size}) tienen los hashes que indica su manifiesto.`,
    filesDamaged: (damaged, files, names) =>
      `Archivos que faltan o no son los que indica el manifiesto: ${damaged} de ${files}: ${names}.`,
    noKey: 'El texto que escribió no es una clave pública. Su forma es nombre+id+clave.',
    notSigned: 'Nadie firmó esta publicación: no hay registro.',
    notSignedByKey: 'Nadie firmó esta publicación: no hay registro, aunque quien publica tiene una clave.',
    noCheckpoint: file => `Falta ${file}, o no es un punto de control firmado.`,
    longLog: 'El registro es demasiado largo para esta página. Use civic verify.',
    signedSays: (origin, key) =>
      `El registro “${origin}” dice que está firmado con la clave ${key}. Escriba la clave pública de quien publica, obtenida fuera de este sitio, para comprobar la firma.`,
    noEd25519: 'Este navegador no puede comprobar firmas Ed25519 en esta página. Use otro, o civic verify.',
    signed: (key, print) =>
      `El registro está firmado con la clave ${key} que usted escribió. Su huella (SHA-256) es ${print}.`,
    otherwiseSigned: (key, print) =>
      `El registro no está firmado con la clave ${key} que usted escribió. Su huella (SHA-256) es ${print}.`,
    otherRoot: 'Las entradas del registro no dan la raíz que indica su punto de control.',
    notInLog: (file, release) =>
      `El registro no contiene el contenido de este ${file} como publicación ${release}.`,
    inLog: (release, at, size, file) =>
      `La publicación ${release} es la entrada ${at} de ${size} del registro de publicaciones, con el contenido de este ${file}.`,
  },
};
