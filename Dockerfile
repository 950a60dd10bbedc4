# XHProf's extension in an image of Docker's official PHP: docker build --build-arg PHP=8.4-fpm -t php-xhprof .
ARG PHP=8.4-fpm

# Compiles in an image of its own: nothing else of it is in the other.
FROM php:${PHP} AS build
COPY extension /usr/src/xhprof/extension
COPY inspect /usr/src/xhprof/inspect
COPY malloc /usr/src/xhprof/malloc
RUN apt-get update && apt-get install -y --no-install-recommends $PHPIZE_DEPS uuid-dev
# Without what was compiled in the checkout, for another PHP.
RUN cd /usr/src/xhprof/extension && phpize && ./configure && make clean && make -j"$(nproc)" && make install INSTALL_ROOT=/out

FROM php:${PHP}
COPY --from=build /out/ /
RUN docker-php-ext-enable xhprof \
 && ln -s "$(php-config --extension-dir)/xhprof-inspect" /usr/local/bin/xhprof-inspect \
 && php --ri xhprof >/dev/null \
 && install -d -o www-data -g www-data -m 0750 /var/lib/xhprof
# Not in php.ini: a container may name another folder in its environment.
ENV XHPROF_OUTPUT_DIR=/var/lib/xhprof
VOLUME /var/lib/xhprof
